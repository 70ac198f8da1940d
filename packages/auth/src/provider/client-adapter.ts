import type { OrganisationIdentifier } from "@cobs/psd2-certificates";
import { decodeProtectedHeader } from "jose";
import { type Adapter, Provider } from "oidc-provider";
import type { ApplicationCredentials } from "../applications/application-store.ts";
import { findApplicationId } from "../applications/find-application-id.ts";
import type { PublishedKeys } from "../applications/published-keys.ts";
import { bankClientOf, clientOf, clientOfToken } from "./application-client.ts";
import type { AskingApplications } from "./asking-applications.ts";
import { ClientBlocked } from "./client-blocked.ts";
import { UNUSED_ADAPTER } from "./unused-adapter.ts";

/** What the adapter of clients needs. */
export interface ClientAdapterParts {
  readonly askingApplications: Pick<AskingApplications, "find">;
  readonly publishedKeys: Pick<PublishedKeys, "find">;
  readonly readAdmitted: ReadAdmitted;
  /** Names of the bank's services that may introspect. */
  readonly introspectors: readonly string[];
  /** Whether the current call came to the bank listener. */
  readonly isOfBank: () => boolean;
}

/** Returns the application that the current call was admitted with, if any. */
export type ReadAdmitted = () => ApplicationCredentials | undefined;

/**
 * Whether the look-up is for the client of an introspected token rather than the caller, which is known already. The
 * token's consent is active, so its application exists, and the stop list was checked just before.
 */
function isOfToken(): boolean {
  const { route, client: caller } = Provider.ctx?.oidc ?? {};
  return route === "introspection" && caller !== undefined;
}

/** The assertion of the current request, at an endpoint where clients authenticate. */
function currentAssertion(): string | undefined {
  const assertion: unknown = Provider.ctx?.oidc.params?.client_assertion;
  return typeof assertion === "string" ? assertion : undefined;
}

/** The key that an assertion names; the provider refuses an unreadable one. */
function namedKeyOf(assertion: string): string | undefined {
  try {
    return decodeProtectedHeader(assertion).kid;
  } catch {
    return undefined;
  }
}

/**
 * Makes the adapter that finds clients: for a call to the bank listener, the services of the bank; for any other, the
 * applications. To a browser or a TPP, the name of such a service is as unknown as any made-up client: nobody learns who may
 * introspect.
 *
 * Nothing is cached, so every process notices a deleted application at once. The provider looks up the client in every
 * request, including the one that ends in a code: there the client of a blocked TPP is refused as `ClientBlocked`,
 * whatever the PSU answered before. If the call was admitted before it reached the provider, its application was looked
 * up and checked then, and is not looked up again.
 */
export function createClientAdapter(parts: ClientAdapterParts): Adapter {
  const { askingApplications, introspectors, isOfBank, publishedKeys, readAdmitted } = parts;

  async function findAsking(text: string): Promise<ApplicationCredentials | undefined> {
    const id = findApplicationId(text);
    const found = id === undefined ? undefined : await askingApplications.find(id);
    if (found?.isBlocked) throw new ClientBlocked(found.application.owner);
    return found;
  }

  /** Finds an application's published keys when there is an assertion to verify. */
  async function findPublished(address: string, owner: OrganisationIdentifier) {
    const assertion = currentAssertion();
    return assertion === undefined
      ? undefined
      : publishedKeys.find({ address, owner }, namedKeyOf(assertion));
  }

  return {
    ...UNUSED_ADAPTER,
    async find(text) {
      if (isOfToken()) return clientOfToken(text);
      if (isOfBank()) return introspectors.includes(text) ? bankClientOf(text) : undefined;
      const admitted = readAdmitted();
      const found = admitted?.application.id === text ? admitted : await findAsking(text);
      if (found === undefined) return undefined;
      const { jwks, jwksUri, owner } = found.application;
      return clientOf(found, jwksUri === null ? (jwks ?? undefined) : await findPublished(jwksUri, owner));
    },
  };
}
