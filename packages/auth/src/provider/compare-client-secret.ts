import Provider from "oidc-provider";
import { isClientSecret } from "../applications/client-secret.ts";
import { ownerOf, secretHashesOf } from "./application-client.ts";
import type { HandedOverRequests } from "./provider-caller.ts";

/**
 * Makes the provider compare secrets by their hash, and accept them only from the TPP that owns the application: a
 * second check behind `admit-client.ts`. What the provider calls the client's secret is our hash.
 */
export function compareSecretsByHash(provider: Provider, requests: HandedOverRequests): void {
  provider.Client.prototype.compareClientSecret = function compareClientSecret(actual) {
    const request = Provider.ctx?.req;
    if (request === undefined) throw new TypeError("a secret is compared outside a request");
    const { caller } = requests.of(request);
    const isOwner = caller.kind === "tpp" && caller.organisationIdentifier === ownerOf(this);
    const isSecret = secretHashesOf(this).map((hash) => isClientSecret(actual, hash));
    return isOwner && isSecret.includes(true);
  };
}
