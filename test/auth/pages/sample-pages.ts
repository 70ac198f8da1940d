import { type Language, parsePsuId } from "@cobs/cobs-model";
import type {
  AuthenticatorView,
  EnrolmentView,
  PageFrame,
  PasskeyRemovalView,
  SignInView,
} from "../../../packages/auth/src/pages/page-view.ts";
import type { Pages } from "../../../packages/auth/src/pages/pages.ts";
import type { OrderView } from "../../../packages/auth/src/pages/signing-view.ts";
import { en } from "../../../packages/auth/src/pages/texts/en.ts";
import type { OrderTexts } from "../../../packages/auth/src/signing/order.ts";
import { DOMESTIC_ORDER, SEPA_ORDER } from "../signing/sample-orders.ts";
import { PATH, sampleAsking, strangeAsking } from "./sample-asking.ts";
import { sampleConsent, sampleConsentsPages } from "./sample-consents.ts";

const cancel = { action: `${PATH}/cancel`, token: "c".repeat(43), host: sampleAsking.redirectHost };

export const sampleSignIn: SignInView = {
  asking: sampleAsking,
  origin: "https://login.bank.example",
  form: { action: `${PATH}/sign-in`, token: "t".repeat(43) },
  cancel,
  purpose: "authorization",
  anew: undefined,
  signInBy: new Date("2026-07-31T12:10:00Z"),
  username: "",
  passkey: { challenge: "q".repeat(43), allowCredentials: [] },
  faults: [],
};

const sampleEnrolment: EnrolmentView = {
  asking: sampleSignIn.asking,
  origin: sampleSignIn.origin,
  form: sampleSignIn.form,
  cancel,
  faults: [],
  uri: "otpauth://totp/Sandbox%20Bank:nova?issuer=Sandbox%20Bank&secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&algorithm=SHA1&digits=6&period=30",
  secret: "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP",
  confirmBy: new Date("2026-07-31T12:10:00Z"),
};

/** Authenticator with which a PSU signs in. */
export const sampleAuthenticator: AuthenticatorView = {
  origin: "https://login.bank.example",
  psu: { id: parsePsuId("psu-1"), displayName: "Jana Nováková" },
  done: undefined,
  changeBy: new Date("2026-07-31T12:05:00Z"),
  replace: { action: "/authenticator/replace", token: "r".repeat(43) },
  passkeys: {
    list: [
      {
        id: "4qgzMT1cV1c8OgLi",
        name: "Telefon",
        addedAt: new Date("2026-07-01T10:00:00Z"),
        lastUsedAt: new Date("2026-07-30T08:15:00Z"),
      },
      { id: "pXv8eC1sQm0YtR2k", name: "", addedAt: new Date("2026-07-31T12:00:00Z"), lastUsedAt: undefined },
    ],
    add: {
      action: "/authenticator/passkey-add",
      token: "a".repeat(43),
      asking: { challenge: "q".repeat(43), excludeCredentials: [] },
      seal: "1785499200000.0123456789012345678901",
      name: "",
    },
    switchLanguage: { action: "/authenticator/language", token: "l".repeat(43) },
  },
  signOut: { action: "/authenticator/sign-out", token: "s".repeat(43) },
  faults: [],
};

/** The confirmation page before a passkey is removed. */
export const sampleRemoval: PasskeyRemovalView = {
  origin: "https://login.bank.example",
  passkey: {
    id: "4qgzMT1cV1c8OgLi",
    name: "Telefon",
    addedAt: new Date("2026-07-01T10:00:00Z"),
    lastUsedAt: new Date("2026-07-30T08:15:00Z"),
  },
  form: { action: "/authenticator/passkey-remove", token: "m".repeat(43) },
};

const SIGN_PATH = "/sign/3zQ1wJ8v0m5Yx2Tn7Lk4Rw";
const signForm = (form: string) => ({ action: `${SIGN_PATH}/${form}`, token: "t".repeat(43) });

/** The page of an order. */
export function sampleOrder(order: OrderTexts = SEPA_ORDER): OrderView {
  return {
    order,
    exchange: order.currency === "EUR" ? "made" : "none",
    codeStanding: "sent",
    hasNewCode: false,
    asking: sampleAsking,
    waitUntil: new Date("2026-07-31T13:10:00Z"),
    form: signForm("approve"),
    refuse: { ...signForm("refuse"), namedHost: sampleAsking.redirectHost },
    code: signForm("code"),
    switchLanguage: signForm("language"),
    passkey: {
      asking: { challenge: "q".repeat(43), allowCredentials: [] },
      seal: "1785499200000.0123456789012345678901",
    },
    inboxPath: "/sandbox/inbox/psu-jana",
    faults: [],
  };
}

const back = {
  href: "https://moje-penize.example/back?paymentId=P-1&signId=S-1",
  host: "moje-penize.example",
};

/** The pages of signing. */
function sampleSigningPages(pages: Pages, frame: PageFrame): readonly (readonly [string, string])[] {
  const wrong = [{ key: "fault_bound_code_wrong", field: "code" }] as const;
  const none = [{ key: "fault_code_none", field: "passkey" }] as const;
  const requestId = "0b6c1d5e-6a0f-4a5e-9d8b-1f2a3c4d5e6f";
  const at = new Date("2026-07-31T12:10:00Z");
  const change = { kind: "passkey_added", name: "telefon" } as const;
  const messages = [
    { text: pages.writeNotice({ change, at, language: frame.language }), deliveredAt: at },
    { text: pages.writeCodeText("12345678", SEPA_ORDER, frame.language), deliveredAt: at },
    { text: pages.writeCodeText("87654321", DOMESTIC_ORDER, frame.language), deliveredAt: at },
  ];
  const approved = {
    message: "signing_approved",
    decidedAt: at,
    order: SEPA_ORDER,
    back,
    requestId,
  } as const;
  const signOut = signForm("sign-out");
  const refuse = { ...signForm("refuse"), namedHost: back.host };
  const undecided = { order: SEPA_ORDER, refuse, back, requestId } as const;
  const heldOff = { message: "signing_held_off", time: at, retryPath: SIGN_PATH, ...undecided } as const;
  const undelivered = { message: "signing_code_undelivered", retryPath: SIGN_PATH, ...undecided } as const;
  const usedUp = { message: "signing_codes_used_up", ...undecided } as const;
  return [
    ["order", pages.order(frame, sampleOrder())],
    ["order-domestic", pages.order(frame, sampleOrder(DOMESTIC_ORDER))],
    ["order-new-code", pages.order(frame, { ...sampleOrder(), hasNewCode: true })],
    ["order-wrong-code", pages.order(frame, { ...sampleOrder(), faults: wrong })],
    ["order-code-none", pages.order(frame, { ...sampleOrder(), codeStanding: "none_left", faults: none })],
    ["outcome-approved", pages.outcome(frame, approved)],
    ["outcome-expired", pages.outcome(frame, { message: "signing_expired", decidedAt: at, back, requestId })],
    [
      "outcome-other-psu",
      pages.outcome(frame, { message: "signing_other_psu", psuName: "Petr Novák", back, signOut, requestId }),
    ],
    ["outcome-held-off", pages.outcome(frame, heldOff)],
    ["outcome-code-undelivered", pages.outcome(frame, undelivered)],
    ["outcome-codes-used-up", pages.outcome(frame, usedUp)],
    ["inbox", pages.inbox(frame, { messages })],
    ["inbox-empty", pages.inbox(frame, { messages: [] })],
  ];
}

/** Every page in one language, by a name for its file. */
export function samplePages(pages: Pages, language: Language): ReadonlyMap<string, string> {
  const frame = { language, switchPath: PATH };
  const all = new Map<string, string>();
  const refused = [{ key: "fault_sign_in_refused", field: "username", isOfForm: true }] as const;
  const wrongCode = [{ key: "fault_code_wrong", field: "one_time_code" }] as const;
  const missing = [
    { key: "fault_password_missing", field: "password" },
    { key: "fault_code_missing", field: "one_time_code" },
  ] as const;
  all.set("sign-in", pages.signIn(frame, sampleSignIn));
  all.set("sign-in-refused", pages.signIn(frame, { ...sampleSignIn, username: "jana", faults: refused }));
  const noPasskey = [{ key: "fault_passkey_refused", field: "passkey", isOfForm: true }] as const;
  all.set("sign-in-passkey-refused", pages.signIn(frame, { ...sampleSignIn, faults: noPasskey }));
  all.set("sign-in-missing", pages.signIn(frame, { ...sampleSignIn, username: "jana", faults: missing }));
  const repeatable = { ...sampleSignIn, signInBy: undefined };
  const own = { ...repeatable, asking: undefined, cancel: undefined };
  all.set("sign-in-signing", pages.signIn(frame, { ...repeatable, purpose: "signing", anew: "late" }));
  all.set("sign-in-consents", pages.signIn(frame, { ...own, purpose: "consents", anew: "ended" }));
  all.set("sign-in-authenticator", pages.signIn(frame, { ...own, purpose: "authenticator", anew: "ended" }));
  all.set("enrolment", pages.enrolment(frame, sampleEnrolment));
  const another = { asking: undefined, cancel: undefined, draft: "sealed" };
  all.set("enrolment-another", pages.enrolment(frame, { ...sampleEnrolment, ...another }));
  all.set("authenticator", pages.authenticator(frame, sampleAuthenticator));
  all.set(
    "authenticator-removed",
    pages.authenticator(frame, { ...sampleAuthenticator, done: "passkey_removed" }),
  );
  all.set("passkey-removal", pages.passkeyRemoval({ language, switchPath: "/authenticator" }, sampleRemoval));
  const last = [{ key: "fault_passkey_last", field: "passkeys" }] as const;
  all.set("authenticator-fault", pages.authenticator(frame, { ...sampleAuthenticator, faults: last }));
  all.set("enrolment-refused", pages.enrolment(frame, { ...sampleEnrolment, faults: wrongCode }));
  all.set("consent-accounts", pages.consent(frame, sampleConsent(["aisp"], 4)));
  all.set("consent-one-account", pages.consent(frame, sampleConsent(["aisp"], 1)));
  all.set("consent-payments", pages.consent(frame, sampleConsent(["pisp"], 0)));
  all.set("consent-both-many", pages.consent(frame, sampleConsent(["aisp", "pisp"], 40)));
  const chosen = { choice: "some", ticked: ["account-000000000000000000000000000002"] } as const;
  const fault = [{ key: "fault_changed", field: "content" }] as const;
  all.set("consent-fault", pages.consent(frame, { ...sampleConsent(["aisp"], 3), ...chosen, faults: fault }));
  const changedAlone = { ...sampleConsent(["aisp"], 1), faults: fault };
  all.set("consent-one-account-fault", pages.consent(frame, changedAlone));
  const strange = { asking: strangeAsking, cancel: { ...cancel, host: strangeAsking.redirectHost } };
  all.set("sign-in-strange", pages.signIn(frame, { ...sampleSignIn, ...strange }));
  all.set("consent-strange", pages.consent(frame, { ...sampleConsent(["aisp", "pisp"], 2), ...strange }));
  all.set("order-strange", pages.order(frame, { ...sampleOrder(), ...strange }));
  for (const [name, html] of sampleConsentsPages(pages, frame)) all.set(name, html);
  for (const [name, html] of sampleSigningPages(pages, frame)) all.set(name, html);
  for (const message of Object.keys(en.messages) as (keyof typeof en.messages)[]) {
    const fillings = { time: new Date("2026-07-31T12:10:00Z"), name: "Jana Nováková" };
    const requestId = "0b6c1d5e-6a0f-4a5e-9d8b-1f2a3c4d5e6f";
    const ways = message === "accounts_unavailable" ? { retryPath: PATH, cancel } : {};
    const why = message === "request_unacceptable" ? { reason: "invalid_client, client_id is unknown" } : {};
    all.set(`message-${message}`, pages.message(frame, { message, fillings, requestId, ...ways, ...why }));
  }
  return all;
}
