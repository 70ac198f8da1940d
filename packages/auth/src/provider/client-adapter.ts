import type { PublicJwks } from "@cobs/cobs-model";
import { decodeProtectedHeader } from "jose";
import { type Adapter, Provider } from "oidc-provider";
import type { RegisteredApplication } from "../applications/application.ts";
import type { ApplicationStore } from "../applications/application-store.ts";
import { findApplicationId } from "../applications/find-application-id.ts";
import type { PublishedKeys } from "../applications/published-keys.ts";
import type { StopList } from "../tpp/stop-list.ts";
import { clientOf } from "./application-client.ts";
import { ClientBlocked } from "./client-blocked.ts";
import { UNUSED_ADAPTER } from "./unused-adapter.ts";

/** What clients are found with. */
export interface ClientAdapterParts {
  readonly applications: Pick<ApplicationStore, "findCredentials">;
  readonly stopList: Pick<StopList, "findBlocked">;
  readonly publishedKeys: Pick<PublishedKeys, "find">;
}

/** Who is looked for here is not the caller but the client of a token, which the stop list has judged just before. */
const isOfToken = () => Provider.ctx?.oidc.route === "introspection";

/** The assertion that the request under way brings, at an endpoint where clients authenticate. */
function currentAssertion(): string | undefined {
  const assertion: unknown = Provider.ctx?.oidc.params?.client_assertion;
  return typeof assertion === "string" ? assertion : undefined;
}

/** Which key an assertion names; what cannot be read the provider refuses. */
function namedKeyOf(assertion: string): string | undefined {
  try {
    return decodeProtectedHeader(assertion).kid;
  } catch {
    return undefined;
  }
}

/** The keys of an application; those that it publishes only for an assertion that has to be verified. */
async function findKeys(
  { jwks, jwksUri }: RegisteredApplication,
  publishedKeys: Pick<PublishedKeys, "find">,
): Promise<PublicJwks | undefined> {
  if (jwksUri === null) return jwks ?? undefined;
  const assertion = currentAssertion();
  return assertion === undefined ? undefined : publishedKeys.find(jwksUri, namedKeyOf(assertion));
}

/**
 * Finds clients among the applications; nothing is cached, so that an end is seen by every process at once. The provider
 * looks for the client in every request, also in the one that ends in a code: that of a blocked TPP is refused there, as
 * `ClientBlocked`, whatever its PSU has answered before.
 */
export function createClientAdapter(parts: ClientAdapterParts): Adapter {
  const { applications, stopList, publishedKeys } = parts;
  return {
    ...UNUSED_ADAPTER,
    async find(text) {
      const id = findApplicationId(text);
      const found = id === undefined ? undefined : await applications.findCredentials(id);
      if (found === undefined) return undefined;
      if (isOfToken()) return clientOf(found, undefined);
      const { owner } = found.application;
      const blocked = await stopList.findBlocked({ organisationIdentifier: owner, thumbprint: undefined });
      if (blocked !== undefined) throw new ClientBlocked(owner);
      return clientOf(found, await findKeys(found.application, publishedKeys));
    },
  };
}
