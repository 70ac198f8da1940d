/**
 * The page on which a PSU sees their authenticators, replaces the authenticator app, and adds and removes passkeys:
 * only right after a strong authentication.
 */
import type { KeyObject } from "node:crypto";
import type { Route } from "@cobs/service-edge";
import { singleField } from "../../forms/form-fields.ts";
import { FormRefusal } from "../../forms/form-refusal.ts";
import type { PostedForm } from "../../forms/posted-form.ts";
import { readShownFaults } from "../../forms/read-shown-faults.ts";
import type { AuthenticatorDone, FormFault } from "../../pages/page-view.ts";
import type { Passkeys } from "../../psu/passkeys/passkeys.ts";
import type {
  AuthenticatorEnrolment,
  EnrolmentDraft,
} from "../../psu/sandbox/authenticator-enrolment-postgres.ts";
import { endOfFreshness, isFresh, type RenewedSession } from "../../psu-session/psu-session.ts";
import { CODE_WRONG, missingFault } from "../../sign-in/sign-in-faults.ts";
import { placeOf } from "../../sign-in/sign-in-purpose.ts";
import type { PageAnswer } from "./answer-page.ts";
import { chooseLanguage } from "./choose-language.ts";
import {
  addPasskey,
  findRemoval,
  PASSKEY_FAULTS,
  type PasskeyChange,
  readPasskeyName,
  removePasskey,
  showPasskeys,
} from "./passkey-forms.ts";
import {
  createSignedInPage,
  type SignedInPage,
  type SignedInPageParts,
  type SignedInVisit,
  signOut,
} from "./signed-in-page.ts";

/** What the page needs. */
export interface AuthenticatorPageParts extends SignedInPageParts {
  readonly enrolment: AuthenticatorEnrolment;
  /** Undefined when pages cannot have passkeys. */
  readonly passkeys: Passkeys | undefined;
  readonly challengeKey: KeyObject;
}

const ACTS = ["authenticator_enrolled", "passkey_added", "passkey_removed"] as const;
const PURPOSE = { kind: "authenticator" } as const;
/** Characters of a sealed secret of twenty bytes, with room. */
const SEALED = /^[A-Za-z0-9_-]{40,120}$/;

/** Makes the routes of `/authenticator`. */
export function createAuthenticatorRoutes(parts: AuthenticatorPageParts): readonly Route[] {
  return createSignedInPage(parts, {
    purpose: PURPOSE,
    admits: (session) => isFresh(session, parts.clock.now()),
    show: (visit) => showAsked(parts, visit),
    forms: {
      ...passkeyForms(parts),
      replace: (visit) =>
        enrol(parts, visit, { draft: parts.enrolment.draft(visit.session.psu), faults: [] }),
      confirm: (visit, form) => confirm(parts, visit, form),
      "sign-out": (visit) => signOut(parts, visit),
    },
  });
}

/** Shows the page, or the question before a passkey is removed, which cannot be undone (WCAG 2.2 3.3.4). */
async function showAsked(parts: AuthenticatorPageParts, visit: SignedInVisit): Promise<PageAnswer> {
  const id = visit.call.query.get("remove");
  if (id === null) return show(parts, visit);
  const { passkeys } = parts;
  const view = passkeys && (await findRemoval({ passkeys }, visit, id));
  if (view === undefined) return { show: "nothing", location: placeOf(PURPOSE) };
  return {
    show: "page",
    name: "passkey-removal",
    render: (pages, frame) => pages.passkeyRemoval(frame, view),
  };
}

/** What a form carries over to the page, so that nothing is typed twice (WCAG 2.2 3.3.7). */
interface Again {
  readonly faults: readonly FormFault[];
  readonly passkeyName: string;
}

const FIRST_TIME: Again = { faults: [], passkeyName: "" };

async function show(
  { passkeys, ...parts }: AuthenticatorPageParts,
  visit: SignedInVisit,
  { faults, passkeyName }: Again = FIRST_TIME,
): Promise<PageAnswer> {
  const { target, ownOrigin: origin } = visit;
  const done = faults.length === 0 ? findAct(visit) : undefined;
  const psu = await parts.login.find(visit.session.psu);
  const changeBy = endOfFreshness(visit.session);
  const targets = { replace: target("replace"), signOut: target("sign-out") };
  const shown = { origin, psu, done, changeBy, ...targets, faults };
  const view = passkeys
    ? { ...shown, passkeys: await showPasskeys({ ...parts, passkeys }, visit, passkeyName) }
    : shown;
  return {
    show: "page",
    name: "authenticator",
    faults,
    render: (pages, frame) => pages.authenticator(frame, view),
  };
}

function passkeyForms({ passkeys, ...parts }: AuthenticatorPageParts): SignedInPage["forms"] {
  if (passkeys === undefined) return {};
  const own = { ...parts, passkeys };
  const take =
    (
      change: (visit: SignedInVisit, form: PostedForm) => Promise<PasskeyChange>,
      act: AuthenticatorDone,
    ): SignedInPage["forms"][string] =>
    async (visit, form) => {
      const { faults, renewed } = await change(visit, form);
      if (faults.length > 0) return show(own, visit, { faults, passkeyName: readPasskeyName(form.fields) });
      return leadBack(visit, act, renewed);
    };
  return {
    "passkey-add": take(
      async (visit, form) => ({ faults: await addPasskey(own, visit, form) }),
      "passkey_added",
    ),
    "passkey-remove": take((visit, form) => removePasskey(own, visit, form), "passkey_removed"),
    // What was wrong is said again, and a typed name is kept.
    language: (visit, { fields }) =>
      show(own, visit, {
        faults: readShownFaults(fields, PASSKEY_FAULTS),
        passkeyName: readPasskeyName(fields),
      }),
  };
}

/** Redirects to the page, which says what was done; a reload does nothing again. */
function leadBack(visit: SignedInVisit, act: AuthenticatorDone, renewed?: RenewedSession): PageAnswer {
  const done = visit.noteDone({ act, id: "" }, renewed);
  return { show: "nothing", location: placeOf(PURPOSE), cookies: [done, ...(renewed?.cookies ?? [])] };
}

function findAct({ done }: SignedInVisit): AuthenticatorDone | undefined {
  return ACTS.find((act) => act === done?.act);
}

async function enrol(
  { enrolment }: AuthenticatorPageParts,
  visit: SignedInVisit,
  { draft, faults }: { readonly draft: EnrolmentDraft; readonly faults: readonly FormFault[] },
): Promise<PageAnswer> {
  const view = {
    ...(await enrolment.show(draft)),
    asking: undefined,
    cancel: undefined,
    origin: visit.ownOrigin,
    faults,
    form: visit.target("confirm"),
    draft: draft.sealedSecret,
    confirmBy: endOfFreshness(visit.session),
  };
  return { show: "page", name: "enrolment", faults, render: (pages, frame) => pages.enrolment(frame, view) };
}

const CODE_MISSING = missingFault("one_time_code");
const TOO_OFTEN: FormFault = { key: "fault_changed_too_often", field: "one_time_code", isOfForm: true };
const ENROLMENT_FAULTS = [CODE_MISSING, CODE_WRONG, TOO_OFTEN];

/** Confirms a new authenticator app. Wrong codes are not counted: the page itself shows the code's secret. */
async function confirm(
  parts: AuthenticatorPageParts,
  visit: SignedInVisit,
  { fields }: PostedForm,
): Promise<PageAnswer> {
  const draft = readDraft(parts, visit, singleField(fields, "draft"));
  // Switching the language confirms nothing; what was wrong is said again.
  if (singleField(fields, "go") === "language")
    return enrol(parts, visit, { draft, faults: readShownFaults(fields, ENROLMENT_FAULTS) });
  const code = singleField(fields, "one_time_code");
  const { authenticatedAt } = visit.session;
  const { call } = visit;
  const { requestId } = call;
  const at = { now: parts.clock.now(), requestId, language: chooseLanguage(call), authenticatedAt };
  if (code.trim() === "") return enrol(parts, visit, { draft, faults: [CODE_MISSING] });
  const confirmed = await parts.enrolment.confirm(draft, code, at);
  // Also if it is already in use: a form repeated after a failure may not have ended the other sessions yet.
  if (typeof confirmed === "object" || (await parts.enrolment.counts(draft))) {
    return leadBack(visit, "authenticator_enrolled", await parts.sessions.endOthers(visit.session));
  }
  return enrol(parts, visit, { draft, faults: [confirmed === "too_often" ? TOO_OFTEN : CODE_WRONG] });
}

/** Reads the sealed draft, which opens only for its own PSU. Refuses one that was not made here. */
function readDraft(
  { enrolment }: AuthenticatorPageParts,
  { session }: SignedInVisit,
  sealedSecret: string,
): EnrolmentDraft {
  const draft = { psu: session.psu, sealedSecret, activation: undefined };
  if (SEALED.test(sealedSecret) && enrolment.isOurs(draft)) return draft;
  throw new FormRefusal("form_malformed", "the sealed enrolment draft is invalid");
}
