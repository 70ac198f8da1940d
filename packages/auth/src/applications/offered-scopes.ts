import { SCOPES, type Scope } from "@cobs/cobs-model";
import type { ApplicationCredentials, ApplicationStore } from "./application-store.ts";

/**
 * Lets authorizations and tokens see each application without the scopes that the bank does not offer. What is registered stays:
 * orders that were sent before are decided, and a bank that offers payments again need not wait for TPPs.
 */
export function withOfferedScopes(store: ApplicationStore, offered: readonly Scope[]): ApplicationStore {
  if (SCOPES.every((scope) => offered.includes(scope))) return store;
  const narrow = <T extends ApplicationCredentials>(found: T): T => {
    const scopes = found.application.scopes.filter((scope) => offered.includes(scope));
    return { ...found, application: { ...found.application, scopes } };
  };
  return {
    ...store,
    async findAsking(id) {
      const found = await store.findAsking(id);
      return found && narrow(found);
    },
    async findNamed(by, id) {
      const named = await store.findNamed(by, id);
      return { ...named, found: named.found && narrow(named.found) };
    },
  };
}
