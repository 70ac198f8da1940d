/**
 * An application may move up to profile fapi2 at any moment, also between two steps of an authorization. What it
 * began in profile cobs (pushed requests, waiting authorizations, codes) never followed the rules of fapi2, so it
 * must not be completed afterwards. Each of these therefore carries the profile in which it began, which is compared
 * with the application's profile at every use. Nothing has to be found and ended when the application moves, and
 * nothing that is being stored at that very moment is missed.
 */
import type { SecurityProfile } from "@cobs/cobs-model";
import { type AdapterPayload, type Client, errors, type KoaContextWithOIDC } from "oidc-provider";
import { isFapi2, profileOf } from "./application-client.ts";
import type { Interaction } from "./find-interaction.ts";

/** The profile that is stored with everything that an application begins. */
export type Begun = { readonly begunAs?: SecurityProfile };

type Beginning = Pick<KoaContextWithOIDC["oidc"], "client" | "entities">;

/** Whether something was begun in profile cobs by an application that has moved up since. */
export function isOutgrown(begun: AdapterPayload | Begun, client: Client | undefined): boolean {
  return "begunAs" in begun && begun.begunAs === "cobs" && client !== undefined && isFapi2(client);
}

/** The profile in which the authorization of a request began: that of its first step, or of its application now. */
export function beginningOf({ client, entities }: Beginning): Begun {
  const earlier = entities.Interaction?.prompt.details.begunAs;
  if (earlier === "cobs" || earlier === "fapi2") return { begunAs: earlier };
  return client === undefined ? {} : { begunAs: profileOf(client) };
}

/** Whether an authorization that waits was begun in a profile that its application has left. */
export function isOutgrownInteraction({ prompt }: Interaction, client: Client): boolean {
  return prompt.details.begunAs === "cobs" && isFapi2(client);
}

/** Refuses with `invalid_request` to bring such an authorization to its end. */
export function requireBegunProfile(oidc: Beginning): void {
  if (isOutgrown(beginningOf(oidc), oidc.client))
    throw new errors.InvalidRequest("the application has moved to profile fapi2 since: begin anew");
}
