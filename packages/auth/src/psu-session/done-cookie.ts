/** What a PSU has done on a page of theirs, carried to the page that follows, which says it once: a reload does not. */
import type { KeyObject } from "node:crypto";
import { formToken, isFormToken } from "../forms/form-token.ts";
import { findCookie, placeCookie } from "./cookie.ts";
import type { OpenPsuSession, SessionCall } from "./psu-session.ts";

const ACTS = [
  "consent_withdrawn",
  "card_consent_withdrawn",
  "authenticator_enrolled",
  "passkey_added",
  "passkey_removed",
  "code_sent",
] as const;

/** What was done, and to which consent; of all else nothing is named. */
export interface Done {
  readonly act: (typeof ACTS)[number];
  readonly id: string;
}

/** Whose page it is: what was done there is said to no other session, and on no other page. */
export interface DonePlace {
  readonly place: string;
  readonly session: Pick<OpenPsuSession, "id">;
}

const COOKIE = "__Secure-done";
/** Longer than the next page takes to be asked for. */
const SECONDS = 60;

/** The cookie of an answer that leads on to the page. */
export function doneCookie(key: KeyObject, of: DonePlace, done: Done): string {
  const value = [done.act, done.id, proofOf(key, of, done)].join(".");
  return placeCookie({ name: COOKIE, place: of.place }, value, SECONDS);
}

/** What this browser was told to say here; undefined when it is nothing, or was told to another session. */
export function findDone(key: KeyObject, of: DonePlace, call: SessionCall): Done | undefined {
  const [name, id = "", proof] = findCookie(call, COOKIE)?.split(".") ?? [];
  const act = ACTS.find((each) => each === name);
  if (act === undefined || !isFormToken(proof, proofOf(key, of, { act, id }))) return undefined;
  return { act, id };
}

/** Takes the cookie back from the browser. */
export function forgetDone({ place }: Pick<DonePlace, "place">): string {
  return placeCookie({ name: COOKIE, place }, "", 0);
}

function proofOf(key: KeyObject, { place, session }: DonePlace, { act, id }: Done): string {
  return formToken(key, ["done", place, act, id, session.id]);
}
