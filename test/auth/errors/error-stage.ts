import { createHash } from "node:crypto";
import { join } from "node:path";
import type { RawAnswer } from "../../support/raw-https.ts";
import { startRevocationServer } from "../../support/revocation-server.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import {
  type Fapi2Application,
  registerWithCertificate,
  registerWithKey,
} from "../profiles/fapi2-application.ts";
import { type RunningAuth, runAuth } from "../running-auth.ts";
import { JSON_BODY, register, type TestApplication } from "../test-application.ts";
import { codeFor, type Tokens, tokensFor } from "../use-tokens.ts";

const CALLERS = { BANK_CALLERS: "resource=introspect,feed;operator=operator;auth=accounts" };
/** High limits: the table has many failed authentications, which count as thirty calls each. */
const UNLIMITED = {
  ...CALLERS,
  PUSHED_REQUESTS_PER_MINUTE: "1000000",
  TOKEN_REQUESTS_PER_MINUTE: "1000000",
  ADDRESS_REQUESTS_PER_MINUTE: "1000000",
};
const ONE_A_MINUTE = {
  ADDRESS_REQUESTS_PER_MINUTE: "1",
  APPLICATION_CHANGES_PER_MINUTE: "1",
  INTROSPECTIONS_PER_MINUTE: "1",
  PUSHED_REQUESTS_PER_MINUTE: "1",
  TOKEN_REQUESTS_PER_MINUTE: "1",
};
const CACHE_SECONDS = 2;
const GRACE_SECONDS = 30;

/** A server and an application that is registered there. */
interface Place {
  readonly auth: RunningAuth;
  readonly application: TestApplication;
}

/** Servers and applications with which every error can be caused. */
export interface ErrorStage extends Place {
  /** Another application of the same TPP. */
  readonly sibling: TestApplication;
  /** An application of another TPP. */
  readonly foreign: TestApplication;
  /** Applications of profile fapi2: one with a key, one with its certificate. */
  readonly keyed: Fapi2Application;
  readonly certified: Fapi2Application;
  /** A second process of the same server, which cannot reach the database. */
  readonly severed: RunningAuth;
  /** A second process of the same server, configured to require profile fapi2, fetch no keys and allow one application. */
  readonly strict: RunningAuth;
  /** A second process of the same server, of a bank without payments. */
  readonly withoutPayments: RunningAuth;
  /** A server that accepts one call per minute. */
  readonly limited: Place;
  /** A server that gets no answer about revocation. */
  readonly silent: Place;
  /** Obtains a code for the application. */
  code(request?: Readonly<Record<string, string>>): Promise<string>;
  /** Redeems a code for tokens. */
  tokens(scope?: string): Promise<Tokens>;
  run(text: string, values?: readonly string[]): Promise<void>;
  /** Puts an order on the operator's stop list while it asks. */
  whileBlocked(order: Readonly<Record<string, string>>, ask: () => Promise<RawAnswer>): Promise<RawAnswer>;
  stop(): Promise<void>;
}

/** Every restriction that a bank may put on applications. */
const STRICTEST = { SECURITY_PROFILE: "fapi2", JWKS_URI_ADDRESSES: "none", MAX_APPLICATIONS_PER_TPP: "1" };

/** Starts everything; callers stop it in `after`. */
export async function openErrorStage(): Promise<ErrorStage> {
  const auth = await runAuth(UNLIMITED);
  const application = await register(auth);
  const [strict, withoutPayments, severed] = await Promise.all([
    runAuth({ ...UNLIMITED, ...STRICTEST }, auth),
    runAuth({ ...UNLIMITED, PAYMENTS: "off" }, auth),
    runAuth(UNLIMITED, auth, { tunnelled: true }),
  ]);
  await severed.tunnel.cut();
  const [limited, { place: silent, close }] = await Promise.all([openLimited(), openSilent()]);
  const code: ErrorStage["code"] = (request = {}) => codeFor(auth, application, { request });
  return {
    auth,
    application,
    sibling: await register(auth),
    foreign: await register(auth, {}, "second-tpp"),
    keyed: await registerWithKey(auth),
    certified: await registerWithCertificate(auth),
    severed,
    strict,
    withoutPayments,
    limited,
    silent,
    code,
    tokens: (scope = "aisp") => tokensFor(auth, application, { request: { scope } }),
    run: async (text, values = []) => {
      const name = createHash("sha256").update(text).digest("hex").slice(0, 40);
      await auth.database.run({ name, text, values: [...values] });
    },
    whileBlocked: (order, ask) => whileBlocked(auth, order, ask),
    stop: async () => {
      const besides = [strict, withoutPayments, severed, limited.auth];
      await Promise.all([...besides.map((each) => each.stop()), close()]);
      await auth.stop();
    },
  };
}

async function openLimited(): Promise<Place> {
  const auth = await runAuth({ ...CALLERS, ...ONE_A_MINUTE });
  return { auth, application: await register(auth) };
}

/** Starts a server whose revocation sources answered at registration, then fell silent for longer than the grace period. */
async function openSilent() {
  const folder = temporaryFolder();
  const responder = await startRevocationServer();
  const certificates = await responder.issue(join(folder.path, "certificates"));
  const required = {
    ...CALLERS,
    REVOCATION: "required",
    REVOCATION_PRIVATE_ADDRESSES: "allowed",
    REVOCATION_CACHE_SECONDS: String(CACHE_SECONDS),
    REVOCATION_GRACE_SECONDS: String(GRACE_SECONDS),
  };
  const auth = await runAuth(required, undefined, { certificates });
  responder.now = auth.clock.now;
  const application = await register(auth);
  responder.silent.add("ocsp").add("crl");
  auth.clock.advance((CACHE_SECONDS + GRACE_SECONDS) * 1000);
  const close = async () => {
    await auth.stop();
    await responder.close();
    folder.remove();
  };
  return { place: { auth, application }, close };
}

async function whileBlocked(
  auth: RunningAuth,
  order: Readonly<Record<string, string>>,
  ask: () => Promise<RawAnswer>,
): Promise<RawAnswer> {
  const path = "/operator/stop-list";
  const call = {
    method: "POST",
    headers: JSON_BODY,
    body: JSON.stringify({ ...order, reason: "a test of errors" }),
  };
  await auth.callAsBank({ ...call, path }, "operator");
  try {
    return await ask();
  } finally {
    await auth.callAsBank({ ...call, path: `${path}/release` }, "operator");
  }
}
