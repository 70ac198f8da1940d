/** What a PSU has done on one of their pages, carried to the next page, which says it once and not on a reload. */
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

/** What was done, and to which consent; other acts name nothing. */
export interface Done {
  readonly act: (typeof ACTS)[number];
  readonly id: string;
}

/** The page and its session: what was done is shown in no other session, and on no other page. */
export interface DonePlace {
  readonly place: string;
  readonly session: Pick<OpenPsuSession, "id">;
}

const COOKIE = "__Secure-done";
/** Longer than a browser takes to request the next page. */
const SECONDS = 60;

/** The cookie for a response that leads to the page. */
export function doneCookie(key: KeyObject, of: DonePlace, done: Done): string {
  const value = [done.act, done.id, proofOf(key, of, done)].join(".");
  return placeCookie({ name: COOKIE, place: of.place }, value, SECONDS);
}

/** What this browser was told to show here; undefined when there is nothing, or it was told to another session. */
export function findDone(key: KeyObject, of: DonePlace, call: SessionCall): Done | undefined {
  const [name, id = "", proof] = findCookie(call, COOKIE)?.split(".") ?? [];
  const act = ACTS.find((each) => each === name);
  if (act === undefined || !isFormToken(proof, proofOf(key, of, { act, id }))) return undefined;
  return { act, id };
}

/** Removes the cookie from the browser. */
export function forgetDone({ place }: Pick<DonePlace, "place">): string {
  return placeCookie({ name: COOKIE, place }, "", 0);
}

function proofOf(key: KeyObject, { place, session }: DonePlace, { act, id }: Done): string {
  return formToken(key, ["done", place, act, id, session.id]);
}
