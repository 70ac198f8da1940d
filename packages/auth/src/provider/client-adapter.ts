import { type Adapter, Provider } from "oidc-provider";
import type { ApplicationStore } from "../applications/application-store.ts";
import { findApplicationId } from "../applications/find-application-id.ts";
import type { StopList } from "../tpp/stop-list.ts";
import { clientOf } from "./application-client.ts";
import { ClientBlocked } from "./client-blocked.ts";
import { UNUSED_ADAPTER } from "./unused-adapter.ts";

/** What clients are found with. */
export interface ClientAdapterParts {
  readonly applications: Pick<ApplicationStore, "findCredentials">;
  readonly stopList: Pick<StopList, "findBlocked">;
}

/** Who is looked for here is not the caller but the client of a token, which the stop list has judged just before. */
const isOfToken = () => Provider.ctx?.oidc.route === "introspection";

/**
 * Finds clients among the applications; nothing is cached, so that an end is seen by every process at once. The provider
 * looks for the client in every request, also in the one that ends in a code: that of a blocked TPP is refused there, as
 * `ClientBlocked`, whatever its PSU has answered before.
 */
export function createClientAdapter({ applications, stopList }: ClientAdapterParts): Adapter {
  return {
    ...UNUSED_ADAPTER,
    async find(text) {
      const id = findApplicationId(text);
      const found = id === undefined ? undefined : await applications.findCredentials(id);
      if (found === undefined) return undefined;
      if (isOfToken()) return clientOf(found);
      const { owner } = found.application;
      const blocked = await stopList.findBlocked({ organisationIdentifier: owner, thumbprint: undefined });
      if (blocked !== undefined) throw new ClientBlocked(owner);
      return clientOf(found);
    },
  };
}
