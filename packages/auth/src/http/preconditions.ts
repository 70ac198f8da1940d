/**
 * Which state of an application a caller knows (RFC 9110 8.8.3, 13.1). Tags are strong: every change gives another one,
 * and none comes again. Who sends no precondition is not asked for one, because no client of COBS 2.0 does.
 */
import type { IncomingCall } from "@cobs/service-edge";
import type { RegisteredApplication } from "../applications/application.ts";
import { ApplicationRefusal } from "../applications/application-refusal.ts";
import type { WantedChange } from "../applications/registration.ts";

type Headers = Pick<IncomingCall, "header">;

/** One tag, weak or strong, and what stands between it and the next. */
const TAG = '(?:W/)?"[\\x21\\x23-\\x7e\\x80-\\xff]*"';
// Empty members of a list count for nothing (RFC 9110 5.6.1.2).
const TAGS = new RegExp(`^(?:,[ \\t,]*)?${TAG}(?:[ \\t]*,[ \\t,]*${TAG})*(?:[ \\t]*,[ \\t,]*)?$`);
const EACH_TAG = new RegExp(TAG, "g");

/** The tag of the state that an application is in. */
export function entityTagOf({ version }: RegisteredApplication): string {
  return `"${version}"`;
}

/** The tags that a precondition names, `*` for any; refuses what cannot be read, because it must not be passed over. */
function readTags(text: string): readonly string[] | "*" {
  const value = text.trim();
  if (value === "*") return "*";
  if (!TAGS.test(value)) throw new ApplicationRefusal("precondition_malformed");
  return value.match(EACH_TAG) ?? [];
}

/**
 * What a change requires of the application that it finds: `version_outdated` unless `If-Match` names its state (13.1.1) and
 * `If-None-Match` does not (13.1.2).
 */
export function stateRequirementOf(call: Headers): WantedChange["requireState"] {
  const [isMeant, isKnown] = [meantStatesOf(call), knownStatesOf(call)];
  return (current) => {
    if (!isMeant(current) || isKnown(current)) throw new ApplicationRefusal("version_outdated");
  };
}

/**
 * Whether the caller of a GET has this state already (13.1.2). Refuses with `version_outdated` when `If-Match` means another one:
 * that comes first (13.2.2).
 */
export function isNotModified(call: Headers, found: RegisteredApplication): boolean {
  if (!meantStatesOf(call)(found)) throw new ApplicationRefusal("version_outdated");
  return knownStatesOf(call)(found);
}

/** The states that `If-Match` names, compared strongly (8.8.3.2): a weak tag is equal to none. All of them without it. */
function meantStatesOf(call: Headers): (found: RegisteredApplication) => boolean {
  const text = call.header("if-match");
  const tags = text === undefined ? "*" : readTags(text);
  return (found) => tags === "*" || tags.includes(entityTagOf(found));
}

/** The states that `If-None-Match` names, compared weakly: a proxy may have weakened the tag. */
function knownStatesOf(call: Headers): (found: RegisteredApplication) => boolean {
  const text = call.header("if-none-match");
  const tags = text === undefined ? [] : readTags(text);
  return (found) => tags === "*" || tags.some((tag) => tag.replace(/^W\//, "") === entityTagOf(found));
}
