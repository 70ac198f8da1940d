import { isAtOrigin } from "@cobs/cobs-model";
import type { RegisteredApplication } from "./application.ts";
import type { ApplicationStore } from "./application-store.ts";

/** Public addresses of both services. */
export interface PublicAddresses {
  readonly issuer: string;
  readonly mutualTlsUrl: string;
  readonly resourceServer: string;
}

/** The origins of the bank's own pages and interfaces, where no application can be. */
export function bankOriginsOf({ issuer, mutualTlsUrl, resourceServer }: PublicAddresses): readonly string[] {
  return [issuer, mutualTlsUrl, resourceServer].map((url) => new URL(url).origin);
}

/**
 * Shows each application without return addresses that are the bank's own, which it may have registered before they were refused.
 * A stranger could have the bank's own page ask a PSU for something else there, as if it belonged to what they just did.
 */
export function withoutBankAddresses(store: ApplicationStore, origins: readonly string[]): ApplicationStore {
  const narrow = (application: RegisteredApplication): RegisteredApplication => {
    const redirectUris = application.redirectUris.filter((uri) => !isAtOrigin(uri, origins));
    return { ...application, redirectUris };
  };
  const narrowFound = <T extends { readonly application: RegisteredApplication }>(found: T): T => ({
    ...found,
    application: narrow(found.application),
  });
  return {
    ...store,
    async findById(id) {
      const found = await store.findById(id);
      return found && narrow(found);
    },
    async findOwned(which) {
      const found = await store.findOwned(which);
      return found && narrow(found);
    },
    async findAsking(id) {
      const found = await store.findAsking(id);
      return found && narrowFound(found);
    },
    async findNamed(by, id) {
      const named = await store.findNamed(by, id);
      return { ...named, found: named.found && narrowFound(named.found) };
    },
    async listOwned(owner) {
      return (await store.listOwned(owner)).map(narrow);
    },
  };
}
