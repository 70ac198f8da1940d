import { type PsuId, parseApplicationId, parsePsuId, type Scope } from "@cobs/cobs-model";
import type { RegisteredApplication } from "../../../packages/auth/src/applications/application.ts";
import type { PsuAccount } from "../../../packages/auth/src/bank/psu-accounts.ts";
import type { Consent } from "../../../packages/auth/src/consent/consent.ts";
import type { FormFields } from "../../../packages/auth/src/forms/form-fields.ts";
import { formToken } from "../../../packages/auth/src/forms/form-token.ts";
import { showJourney, takeForm } from "../../../packages/auth/src/journey/dispatch.ts";
import { bindingOf, type FormPurpose } from "../../../packages/auth/src/journey/interaction-path.ts";
import type { JourneyAnswer, JourneyParts, Visit } from "../../../packages/auth/src/journey/journey.ts";
import type {
  ConsentDecision,
  PendingAuthorization,
} from "../../../packages/auth/src/journey/pending-authorization.ts";
import type { ConsentView, SignInView } from "../../../packages/auth/src/pages/page-view.ts";
import type {
  AttemptOutcome,
  SignInAttempt,
} from "../../../packages/auth/src/psu/sandbox/sandbox-directory.ts";
import { createSandboxLogin } from "../../../packages/auth/src/psu/sandbox/sandbox-login.ts";
import { sampleAccounts, sampleAsking } from "../pages/sample-asking.ts";
import {
  formKey,
  type HandMadeSignIn,
  handMadeSignIn,
  stepCookie,
  stepToken,
} from "../sign-in/hand-made-sign-in.ts";

export { formKey } from "../sign-in/hand-made-sign-in.ts";

export const NOW = new Date("2026-07-31T12:00:00Z");
export const PSU: PsuId = parsePsuId("psu-jana");
export const OWN_ORIGIN = "https://login.bank.example";

const APPLICATION: RegisteredApplication = {
  id: parseApplicationId("application-1"),
  owner: sampleAsking.tpp.organisationIdentifier,
  accessTokenLifetimeSeconds: null,
  applicationType: "web",
  redirectUris: [],
  clientName: "Moje peníze",
  localizedNames: [],
  logoUri: null,
  contact: null,
  jwksUri: null,
  version: "00000000-0000-4000-8000-000000000000",
  scopes: ["aisp", "pisp"],
  tokenEndpointAuthMethod: "client_secret_post",
  jwks: null,
};

/** What a test changes in an otherwise ordinary journey. */
export interface Changes {
  readonly pending?: Partial<PendingAuthorization>;
  readonly scopes?: readonly Scope[];
  readonly accounts?: () => Promise<readonly PsuAccount[]>;
  /** Consent that the application already has. */
  readonly former?: Consent;
  /** Consent that the PSU has given in this authorization. */
  readonly stored?: Consent;
  readonly outcome?: AttemptOutcome;
  readonly now?: Date;
  /** Where an earlier answer leads; undefined until there is one. */
  readonly answered?: () => string | undefined;
}

/** A journey of plain values, which records what was done. */
export interface HandMadeJourney {
  readonly parts: JourneyParts & HandMadeSignIn;
  readonly visit: Visit;
  readonly done: {
    attempts: SignInAttempt[];
    signedIn: PsuId[];
    consents: ConsentDecision[];
    /** What the application learns when the PSU comes back without a consent. */
    told: string[];
  };
}

/** A journey that waits for the sign-in, unless `changes` gives another step. */
export function handMadeJourney(changes: Changes = {}): HandMadeJourney {
  const done: HandMadeJourney["done"] = { attempts: [], signedIn: [], consents: [], told: [] };
  const pending: PendingAuthorization = {
    uid: "interaction-1",
    step: "sign-in",
    application: APPLICATION,
    tpp: { ...sampleAsking.tpp, roles: ["PSP_AI", "PSP_PI"] },
    redirectHost: sampleAsking.redirectHost,
    scopes: changes.scopes ?? ["aisp"],
    unregisteredScopes: [],
    uiLocales: undefined,
    signIn: undefined,
    authenticatedAt: undefined,
    answeredWith: undefined,
    waitsUntil: new Date("2026-07-31T12:10:00Z"),
    ...changes.pending,
  };
  const parts: HandMadeJourney["parts"] = {
    consents: { findPresent: async () => changes.former, findGiven: async () => changes.stored },
    psuAccounts: { accountsOf: changes.accounts ?? (async () => sampleAccounts(3)) },
    blocks: { admits: async () => true },
    consentLifetimeDays: 180,
    ...handMadeSignIn({
      login: createSandboxLogin({
        directory: {
          signIn: async (attempt) => {
            done.attempts.push(attempt);
            return changes.outcome ?? { outcome: "signed-in", psu: PSU, device: "device" };
          },
          signInWithProof: async () => ({ outcome: "refused" }),
          find: async (id) => ({ id, displayName: "Jana Nováková" }),
        },
        passkeys: undefined,
        enrolment: {
          draft: (psu, activation) => ({ psu, sealedSecret: "sealed", activation }),
          isOurs: () => true,
          show: async () => ({ uri: "otpauth://totp/jana", secret: "JBSWY3DPEHPK3PXP" }),
          confirm: async (_draft, code) => (code === "123456" ? { device: "device" } : undefined),
          counts: async () => false,
        },
      }),
      clock: { now: () => changes.now ?? NOW, monotonicMilliseconds: () => 0 },
    }),
  };
  const finish: Visit["finish"] = {
    answered: async () => changes.answered?.(),
    signIn: async ({ psu }) => `/next/${done.signedIn.push(psu)}`,
    consent: async (decision) => `/next/${done.consents.push(decision)}`,
    goBack: async ({ error, description }) => {
      done.told.push(`${error}: ${description}`);
      return `/declined/${done.told.length}`;
    },
    refuse: async () => "/refused",
  };
  const headers: Readonly<Record<string, string>> = { cookie: stepCookie(FIRST_STEP) };
  const call = { requestId: "request-1", traceContext: undefined, header: (name: string) => headers[name] };
  return { parts, visit: { pending, call, ownOrigin: OWN_ORIGIN, language: "cs", finish }, done };
}

/** Id of the step that the browser of every journey has been shown. */
const FIRST_STEP = "step-1";

/** Token of a form of a pending authorization on our own page. */
export function tokenOf(pending: PendingAuthorization, purpose: FormPurpose): string {
  if (purpose === "sign-in") return stepToken({ kind: "authorization", uid: pending.uid }, FIRST_STEP);
  return formToken(formKey, bindingOf(pending, purpose));
}

/** A journey at the step of consent, a minute after the sign-in. */
export function journeyAtConsent(changes: Changes = {}): HandMadeJourney {
  const authenticatedAt = new Date(NOW.getTime() - 60_000);
  const signIn = { psu: PSU, id: "sign-in-1" };
  const pending = { step: "consent", signIn, authenticatedAt, ...changes.pending } as const;
  return handMadeJourney({ ...changes, pending });
}

/** Posts a form with the correct token from our own page, unless the fields or the source differ. */
export async function post(
  { parts, visit }: HandMadeJourney,
  purpose: FormPurpose,
  sent: { fields?: FormFields; origin?: string; fetchSite?: string } = {},
): Promise<JourneyAnswer> {
  if (visit.pending.step === "sign-in" && parts.kept.size === 0) await showJourney(parts, visit);
  const fields = { token: [tokenOf(visit.pending, purpose)], ...sent.fields };
  const { origin = "null", fetchSite = "same-origin" } = sent;
  return takeForm(parts, visit, { purpose, fields, source: { origin, fetchSite, ownOrigin: OWN_ORIGIN } });
}

/** The view of an answer, which must be the sign-in page. */
export function requireSignInPage(answer: JourneyAnswer): SignInView {
  if (answer.show !== "sign-in") throw new Error(`it shows ${answer.show}`);
  return answer.view;
}

/** The view of an answer, which must be the consent page. */
export function requireConsentPage(answer: JourneyAnswer): ConsentView {
  if (answer.show !== "consent") throw new Error(`it shows ${answer.show}`);
  return answer.view;
}

/** The code with which a form is refused, or a description of another answer. */
export async function refusalOf(answer: Promise<JourneyAnswer>): Promise<string> {
  return answer.then(
    ({ show }) => `shows ${show}`,
    (error: Error & { code?: string }) => error.code ?? error.name,
  );
}
