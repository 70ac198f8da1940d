/** The passkeys of a PSU on `/authenticator`: the list, the forms to add and remove one, and the question before removal. */
import type { KeyObject } from "node:crypto";
import type { PsuId } from "@cobs/cobs-model";
import { singleField } from "../../forms/form-fields.ts";
import type { PostedForm } from "../../forms/posted-form.ts";
import type { FormFault, PasskeyListView, PasskeyRemovalView } from "../../pages/page-view.ts";
import { findBoundChallenge, makeBoundChallenge } from "../../psu/passkeys/bound-challenge.ts";
import { MOST_PASSKEYS, type PasskeyAct } from "../../psu/passkeys/passkey-store.ts";
import type { Passkeys } from "../../psu/passkeys/passkeys.ts";
import type { RenewedSession } from "../../psu-session/psu-session.ts";
import { chooseLanguage } from "./choose-language.ts";
import type { SignedInPageParts, SignedInVisit } from "./signed-in-page.ts";

/** What the forms need; `challengeKey` is for bound challenges. */
export interface PasskeyFormParts extends Pick<SignedInPageParts, "login" | "clock" | "sessions"> {
  readonly passkeys: Passkeys;
  readonly challengeKey: KeyObject;
}

/** Result of a form: its faults, and the session if it continues under a new id. */
export interface PasskeyChange {
  readonly faults: readonly FormFault[];
  readonly renewed?: RenewedSession;
}

const MAX_NAME_CHARACTERS = 60;
const NOT_ADDED: FormFault = { key: "fault_passkey_not_added", field: "passkeys" };
const KNOWN: FormFault = { key: "fault_passkey_known", field: "passkeys" };
const TOO_OFTEN: FormFault = { key: "fault_changed_too_often", field: "passkeys" };
const LAST: FormFault = { key: "fault_passkey_last", field: "passkeys" };
/** All faults of these forms. */
export const PASSKEY_FAULTS: readonly FormFault[] = [NOT_ADDED, KNOWN, TOO_OFTEN, LAST];

/** Makes the page's section, with a challenge bound to this session, and the passkey name typed before. */
export async function showPasskeys(
  parts: PasskeyFormParts,
  visit: SignedInVisit,
  name: string,
): Promise<PasskeyListView> {
  const { passkeys, challengeKey, clock, login } = parts;
  const { psu } = visit.session;
  const list = await passkeys.store.list(psu);
  const switchLanguage = visit.target("language");
  if (list.length >= MOST_PASSKEYS) return { list, add: undefined, switchLanguage };
  const { challenge, seal } = makeBoundChallenge(challengeKey, bondOf(visit), clock.now());
  const displayName = (await login.find(psu))?.displayName ?? psu;
  const asking = await passkeys.askForNew({ id: psu, displayName }, challenge);
  return { list, add: { ...visit.target("passkey-add"), asking, seal, name }, switchLanguage };
}

/** Adds a new credential; returns the faults. A credential is added only once, so its challenge works only once. */
export async function addPasskey(
  { passkeys, challengeKey, clock }: PasskeyFormParts,
  visit: SignedInVisit,
  { fields }: PostedForm,
): Promise<readonly FormFault[]> {
  const now = clock.now();
  const { psu } = visit.session;
  const answered = { bound: bondOf(visit), seal: singleField(fields, "seal") };
  const challenge = findBoundChallenge(challengeKey, answered, now);
  if (challenge === undefined) return [NOT_ADDED];
  const made = await passkeys.readNew(singleField(fields, "attestation"), challenge);
  if (made === undefined) return [NOT_ADDED];
  const name = readPasskeyName(fields);
  const outcome = await passkeys.store.add({ ...made, psu, name }, actOf(visit, now));
  switch (outcome) {
    case "added":
      return [];
    case "known":
      return [KNOWN];
    case "too_often":
      return [TOO_OFTEN];
    default:
      return [NOT_ADDED];
  }
}

/** Finds the passkey for the question before a removal; undefined when it is gone or not the PSU's own. */
export async function findRemoval(
  { passkeys }: Pick<PasskeyFormParts, "passkeys">,
  { session, target, ownOrigin: origin }: SignedInVisit,
  id: string,
): Promise<PasskeyRemovalView | undefined> {
  const passkey = (await passkeys.store.list(session.psu)).find((each) => each.id === id);
  return passkey && { origin, passkey, form: target("passkey-remove") };
}

/** Removes a passkey of the PSU, and ends the sessions it may have opened elsewhere; one already gone is not a fault. */
export async function removePasskey(
  { passkeys, clock, sessions }: PasskeyFormParts,
  visit: SignedInVisit,
  { fields }: PostedForm,
): Promise<PasskeyChange> {
  const passkey = { id: singleField(fields, "passkey").replaceAll("\0", ""), psu: visit.session.psu };
  const outcome = await passkeys.store.remove(passkey, actOf(visit, clock.now()));
  // Also if it is already gone: a form repeated after a failure may not have ended the other sessions yet.
  if (outcome === "removed" || outcome === "unknown")
    return { faults: [], renewed: await sessions.endOthers(visit.session) };
  return { faults: outcome === "last" ? [LAST] : [] };
}

function bondOf({ session }: SignedInVisit): readonly string[] {
  return ["enrolment", session.id];
}

function actOf({ session, call }: SignedInVisit, now: Date): PasskeyAct {
  const actor: { readonly kind: "psu"; readonly psu: PsuId } = { kind: "psu", psu: session.psu };
  const { authenticatedAt } = session;
  return { act: { actor, requestId: call.requestId }, now, language: chooseLanguage(call), authenticatedAt };
}

/** Reads a passkey's name from a form as one line without control characters, such as NUL, which the database cannot store. */
export function readPasskeyName(fields: PostedForm["fields"]): string {
  const typed = singleField(fields, "passkey_name");
  return [...typed.replace(/\p{Cc}/gu, " ").trim()].slice(0, MAX_NAME_CHARACTERS).join("");
}
