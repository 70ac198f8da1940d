/**
 * Preconditions: which state of an application the caller knows (RFC 9110 8.8.3, 13.1). Tags are strong: every change
 * gives a new one, and none is reused. A precondition is never required, because no client of COBS 2.0 sends one.
 */
import type { IncomingCall } from "@cobs/service-edge";
import type { RegisteredApplication } from "../applications/application.ts";
import { ApplicationRefusal } from "../applications/application-refusal.ts";
import type { WantedChange } from "../applications/registration.ts";

type Headers = Pick<IncomingCall, "header">;

/** One tag, weak or strong. */
const TAG = '(?:W/)?"[\\x21\\x23-\\x7e\\x80-\\xff]*"';
// Empty list members are ignored (RFC 9110 5.6.1.2).
const TAGS = new RegExp(`^(?:,[ \\t,]*)?${TAG}(?:[ \\t]*,[ \\t,]*${TAG})*(?:[ \\t]*,[ \\t,]*)?$`);
const EACH_TAG = new RegExp(TAG, "g");

/** The tag of an application's present state. */
export function entityTagOf({ version }: RegisteredApplication): string {
  return `"${version}"`;
}

/** Reads the tags of a precondition, `*` for any; refuses a malformed one, because it must not be ignored. */
function readTags(text: string): readonly string[] | "*" {
  const value = text.trim();
  if (value === "*") return "*";
  if (!TAGS.test(value)) throw new ApplicationRefusal("precondition_malformed");
  return value.match(EACH_TAG) ?? [];
}

/**
 * Makes the check of a change against the present state: refuses with `version_outdated` unless `If-Match` names it
 * (13.1.1) and `If-None-Match` does not (13.1.2).
 */
export function stateRequirementOf(call: Headers): WantedChange["requireState"] {
  const [isMeant, isKnown] = [meantStatesOf(call), knownStatesOf(call)];
  return (current) => {
    if (!isMeant(current) || isKnown(current)) throw new ApplicationRefusal("version_outdated");
  };
}

/**
 * Whether the caller of a GET already has this state (13.1.2). Refuses with `version_outdated` if `If-Match` names
 * another, which takes precedence (13.2.2).
 */
export function isNotModified(call: Headers, found: RegisteredApplication): boolean {
  if (!meantStatesOf(call)(found)) throw new ApplicationRefusal("version_outdated");
  return knownStatesOf(call)(found);
}

/** Matches states that `If-Match` names, compared strongly (8.8.3.2): a weak tag equals none. Without the header, any state. */
function meantStatesOf(call: Headers): (found: RegisteredApplication) => boolean {
  const text = call.header("if-match");
  const tags = text === undefined ? "*" : readTags(text);
  return (found) => tags === "*" || tags.includes(entityTagOf(found));
}

/** Matches states that `If-None-Match` names, compared weakly: a proxy may have weakened the tag. */
function knownStatesOf(call: Headers): (found: RegisteredApplication) => boolean {
  const text = call.header("if-none-match");
  const tags = text === undefined ? [] : readTags(text);
  return (found) => tags === "*" || tags.some((tag) => tag.replace(/^W\//, "") === entityTagOf(found));
}
