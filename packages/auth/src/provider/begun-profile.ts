/**
 * An application may move up to profile fapi2 at any moment, even between two steps of an authorization. What it began
 * in profile cobs (pushed requests, waiting authorizations, codes) never followed the rules of fapi2, so it must not be
 * completed afterwards. Each of these therefore stores the profile in which it began, which is compared with the
 * application's profile at every use. Nothing has to be searched and ended when the application moves, and nothing
 * being stored at that moment is missed.
 */
import type { SecurityProfile } from "@cobs/cobs-model";
import { type AdapterPayload, type Client, errors, type KoaContextWithOIDC } from "oidc-provider";
import { isFapi2, profileOf } from "./application-client.ts";
import type { Interaction } from "./find-interaction.ts";

/** The profile stored with everything that an application begins. */
export type Begun = { readonly begunAs?: SecurityProfile };

type Beginning = Pick<KoaContextWithOIDC["oidc"], "client" | "entities">;

/** Whether something began in profile cobs, of an application that has since moved up. */
export function isOutgrown(begun: AdapterPayload | Begun, client: Client | undefined): boolean {
  return "begunAs" in begun && begun.begunAs === "cobs" && client !== undefined && isFapi2(client);
}

/** The profile in which a request's authorization began: that of its first step, or else the application's now. */
export function beginningOf({ client, entities }: Beginning): Begun {
  const earlier = entities.Interaction?.prompt.details.begunAs;
  if (earlier === "cobs" || earlier === "fapi2") return { begunAs: earlier };
  return client === undefined ? {} : { begunAs: profileOf(client) };
}

/** Whether a waiting authorization began in profile cobs, of an application that has since moved up. */
export function isOutgrownInteraction({ prompt }: Interaction, client: Client): boolean {
  return prompt.details.begunAs === "cobs" && isFapi2(client);
}

/** Refuses with `invalid_request` an authorization that began in profile cobs, if its application has since moved up. */
export function requireBegunProfile(oidc: Beginning): void {
  if (isOutgrown(beginningOf(oidc), oidc.client))
    throw new errors.InvalidRequest(
      "the application has since moved to profile fapi2: start a new authorization",
    );
}
