import type { OrganisationIdentifier } from "@cobs/psd2-certificates";
import { decodeProtectedHeader } from "jose";
import { type Adapter, Provider } from "oidc-provider";
import type { ApplicationCredentials } from "../applications/application-store.ts";
import { findApplicationId } from "../applications/find-application-id.ts";
import type { PublishedKeys } from "../applications/published-keys.ts";
import { clientOf, clientOfToken } from "./application-client.ts";
import type { AskingApplications } from "./asking-applications.ts";
import { ClientBlocked } from "./client-blocked.ts";
import { UNUSED_ADAPTER } from "./unused-adapter.ts";

/** What clients are found with. */
export interface ClientAdapterParts {
  readonly askingApplications: Pick<AskingApplications, "find">;
  readonly publishedKeys: Pick<PublishedKeys, "find">;
  readonly readAdmitted: ReadAdmitted;
}

/** The application that the call under way was admitted with, if any. */
export type ReadAdmitted = () => ApplicationCredentials | undefined;

/**
 * Whether it is not the caller who is looked for, who is known already, but the client of a token that is introspected. Its
 * consent is active, so that its application is there, and the stop list has judged it just before.
 */
function isOfToken(): boolean {
  const { route, client: caller } = Provider.ctx?.oidc ?? {};
  return route === "introspection" && caller !== undefined;
}

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

/**
 * Finds clients among the applications. Nothing is cached, so every process notices an ended application at once. The
 * provider looks up the client in every request, also in the one that ends in a code: the client of a blocked TPP is
 * refused there, as `ClientBlocked`, whatever its PSU has answered before. When the call was admitted before it
 * reached the provider, the application was looked up and checked then, and is not looked up again.
 */
export function createClientAdapter(parts: ClientAdapterParts): Adapter {
  const { askingApplications, publishedKeys, readAdmitted } = parts;

  async function findAsking(text: string): Promise<ApplicationCredentials | undefined> {
    const id = findApplicationId(text);
    const found = id === undefined ? undefined : await askingApplications.find(id);
    if (found?.isBlocked) throw new ClientBlocked(found.application.owner);
    return found;
  }

  /** The keys that an application publishes, for an assertion that has to be verified. */
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
      const admitted = readAdmitted();
      const found = admitted?.application.id === text ? admitted : await findAsking(text);
      if (found === undefined) return undefined;
      const { jwks, jwksUri, owner } = found.application;
      return clientOf(found, jwksUri === null ? (jwks ?? undefined) : await findPublished(jwksUri, owner));
    },
  };
}
