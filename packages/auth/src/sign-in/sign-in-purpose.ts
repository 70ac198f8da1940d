import { randomBytes } from "node:crypto";
import { AUTHENTICATOR_PATH, CONSENTS_PATH, INTERACTION_PATH, SIGNING_PATH } from "../pages/places.ts";

/** What a sign-in is for; it opens nothing else. A closed set: no address in a request decides where a PSU goes afterwards. */
export type SignInPurpose =
  | { readonly kind: "authorization"; readonly uid: string }
  | { readonly kind: "consents" }
  | { readonly kind: "authenticator" }
  | { readonly kind: "signing"; readonly id: string };

const NAME = /^[A-Za-z0-9_-]{1,128}$/;
const STATE_BYTES = 16;
/** Separates the parts of a state; no name contains it. */
const SEPARATOR = ".";

/** The page that a sign-in precedes: the browser comes back to it, and its cookies are sent there and below. */
export function placeOf(purpose: SignInPurpose): string {
  switch (purpose.kind) {
    case "authorization":
      return `${INTERACTION_PATH}/${encodeURIComponent(purpose.uid)}`;
    case "consents":
      return CONSENTS_PATH;
    case "authenticator":
      return AUTHENTICATOR_PATH;
    case "signing":
      return `${SIGNING_PATH}/${encodeURIComponent(purpose.id)}`;
  }
}

/** A new `state` for the way to another site and back (RFC 6749 4.1.1): it cannot be guessed, and tells where the way began. */
export function createReturnState(purpose: SignInPurpose): string {
  return returnStateOf(purpose, randomBytes(STATE_BYTES).toString("base64url"));
}

/** The `state` of a purpose with its random part. */
export function returnStateOf(purpose: SignInPurpose, random: string): string {
  const name = purpose.kind === "authorization" ? purpose.uid : purpose.kind === "signing" ? purpose.id : "";
  return [purpose.kind, name, random].join(SEPARATOR);
}

/** The random part of a `state`, which tells nothing of its purpose. */
export function randomPartOf(state: string): string {
  return state.split(SEPARATOR).at(-1) ?? "";
}

/** Where a return leads, by its `state`; whether that is this browser's is not checked here. Undefined for any other text. */
export function findReturnPurpose(state: string): SignInPurpose | undefined {
  const [kind, name = "", random = "", ...more] = state.split(SEPARATOR);
  if (more.length > 0 || !NAME.test(random)) return undefined;
  if (kind === "consents" || kind === "authenticator") return name === "" ? { kind } : undefined;
  if (!NAME.test(name)) return undefined;
  if (kind === "authorization") return { kind, uid: name };
  return kind === "signing" ? { kind, id: name } : undefined;
}
