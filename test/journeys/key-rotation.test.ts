import { readFileSync } from "node:fs";
import { Agent } from "node:https";
import { setTimeout as delay } from "node:timers/promises";
import { createPrivateClient, type PrivateClient, systemClock } from "@cobs/service-edge";
import { expect } from "chai";
import { parseAccessToken } from "../../packages/resource/src/introspection/access-token.ts";
import { introspectAtAuth } from "../../packages/resource/src/introspection/introspect-token.ts";
import { IntrospectionRefusal } from "../../packages/resource/src/introspection/introspection-refusal.ts";
import { fetchVerificationKeys } from "../../packages/resource/src/introspection/verification-keys.ts";
import { authorizePath } from "../auth/psu-browser.ts";
import { ISSUER, RESOURCE_SERVER, type RunningAuth, runAuth } from "../auth/running-auth.ts";
import { FORM_BODY, JSON_BODY, register, type TestApplication } from "../auth/test-application.ts";
import { tokensFor } from "../auth/use-tokens.ts";
import { eventually, until } from "../support/eventually.ts";
import { freePort } from "../support/free-port.ts";
import { identityOf } from "../support/identity-of.ts";
import { type RunningProgram, startProgram } from "../support/program.ts";
import { send } from "../support/raw-https.ts";
import { readableLog } from "../support/readable-log.ts";
import { isReady } from "../support/sandbox.ts";
import { ROTATION_RATE } from "../support/test-environment.ts";

/** Longer than resource waits before it asks again about an unknown key; otherwise as short as can be. */
const SHORT = { lifetimeSeconds: 86_400, announcedSeconds: 6, retiredSeconds: 3 };
const KEY_TERMS = { signing: SHORT, cookie: SHORT };

const MANY = "1000000";
const ENVIRONMENT = {
  BANK_CALLERS: "resource=introspect,feed;operator=operator",
  TOKEN_REQUESTS_PER_MINUTE: MANY,
  AUTHORIZATIONS_PER_MINUTE: MANY,
  ADDRESS_REQUESTS_PER_MINUTE: MANY,
  INTROSPECTIONS_PER_MINUTE: MANY,
};

const bankAt = (port: number) => ({ BANK_PORT: String(port), BANK_URL: `https://localhost:${port}` });

interface Key {
  readonly kid: string;
  readonly use: string;
  readonly state: string;
}

/** Where a process that takes the load is called. */
interface AuthProcess {
  readonly program: RunningProgram;
  readonly browser: number;
  readonly mutualTls: number;
  readonly bankUrl: URL;
}

type Call = () => Promise<void>;

/** What the load has come to. */
interface Tally {
  calls: number;
  readonly failures: string[];
  slowest: number;
}

describe("Rotation of keys under load", function rotation() {
  this.timeout(120_000);
  const agent = new Agent({ keepAlive: true, maxSockets: 16 });
  const clients: PrivateClient[] = [];
  let auth: RunningAuth;
  let processes: readonly AuthProcess[] = [];
  let application: TestApplication;
  let tokens: { readonly access_token: string; readonly refresh_token: string };

  before(async () => {
    const port = await freePort();
    auth = await runAuth({ ...ENVIRONMENT, ...bankAt(port) }, undefined, { keyTerms: KEY_TERMS });
    processes = [await startProcess(), await startProcess()];
    application = await register(auth);
    tokens = await tokensFor(auth, application);
  });
  after(async () => {
    agent.destroy();
    await Promise.all(clients.map((client) => client.close()));
    for (const { program } of processes) program.child.kill("SIGTERM");
    await Promise.all(processes.map(({ program }) => program.ended()));
    await auth.stop();
  });

  /** Another process on the same database, which takes the load; the orders of operators come to the first one. */
  async function startProcess(): Promise<AuthProcess> {
    const [browser, mutualTls] = [await freePort(), await freePort()];
    const [bank, operator] = [await freePort(), await freePort()];
    const program = startProgram("packages/auth/src/main.ts", [], {
      ...auth.environment,
      DATABASE_URL: auth.environment.TEST_DATABASE_URL ?? "",
      BROWSER_PORT: String(browser),
      MUTUAL_TLS_PORT: String(mutualTls),
      OPERATOR_PORT: String(operator),
      ...bankAt(bank),
    });
    await until(() => isReady(`http://127.0.0.1:${operator}`), "an auth process is ready");
    return { program, browser, mutualTls, bankUrl: new URL(bankAt(bank).BANK_URL) };
  }

  const asOperator = (call: { readonly method?: string; readonly path: string; readonly body?: string }) =>
    auth.callAsBank(
      { ...call, headers: { host: new URL(auth.config.bankUrl).host, ...(call.body && JSON_BODY) } },
      "operator",
    );
  const list = async (): Promise<readonly Key[]> =>
    JSON.parse((await asOperator({ path: "/operator/keys" })).body).keys;
  const stateOf = async (kid: string) => (await list()).find((key) => key.kid === kid)?.state;
  const signing = async (use: string) =>
    (await list()).find((key) => key.use === use && key.state === "signing")?.kid ?? "";
  const rotate = async (use: string): Promise<string> => {
    const body = JSON.stringify({ use });
    return JSON.parse((await asOperator({ method: "POST", path: "/operator/keys", body })).body).kid;
  };

  /** Asks a process as resource does about a token that it does not remember, and believes what it can verify alone. */
  function describeAt({ bankUrl }: AuthProcess) {
    const client = createPrivateClient({
      service: "auth",
      base: bankUrl,
      authority: readFileSync(auth.certificates.privateCaFile, "utf8"),
      identity: identityOf(auth.certificates.bank.resource),
    });
    clients.push(client);
    const keys = fetchVerificationKeys({ client, clock: systemClock, log: readableLog().log });
    const agreement = { issuer: ISSUER, clientId: "resource", resourceServer: RESOURCE_SERVER };
    const introspection = introspectAtAuth(agreement, { client, keys, clock: systemClock });
    const token = parseAccessToken(tokens.access_token);
    if (token === undefined) throw new Error("the access token is none");
    return async () => {
      const { description } = await introspection.describe(token);
      if (!description.usable) throw new Error(`the token is ${description.code}`);
    };
  }

  const files = (pair: { readonly certificateFile: string; readonly keyFile: string }) => ({
    cert: readFileSync(pair.certificateFile),
    key: readFileSync(pair.keyFile),
  });

  function refreshAt({ mutualTls }: AuthProcess) {
    const { certificates, tpp } = auth;
    const { client_id, client_secret } = application;
    const { refresh_token } = tokens;
    const fields = { client_id, client_secret, grant_type: "refresh_token", refresh_token };
    const body = new URLSearchParams(fields).toString();
    const tls = { ca: readFileSync(certificates.caFile), ...files(tpp(application.certificate)), agent };
    const options = { port: mutualTls, method: "POST", path: "/oauth/token", ...tls };
    const headers = { host: "localhost:8444", ...FORM_BODY };
    return async () => {
      const answer = await send({ ...options, headers }, body);
      if (answer.status !== 200) throw new Error(`refresh: ${answer.status} ${answer.body}`);
    };
  }

  function authorizeAt({ browser }: AuthProcess) {
    const tls = { ca: readFileSync(auth.certificates.caFile), agent };
    const options = { port: browser, path: authorizePath(application), ...tls };
    return async () => {
      const { status } = await send({ ...options, headers: { host: "localhost:8443" } });
      if (status !== 303) throw new Error(`authorization: ${status}`);
    };
  }

  // Nearly all are calls of a resource server that remembers nothing; the others are there to fail.
  const kindsOfCalls = (): readonly Call[] => {
    const introspections = processes.map(describeAt);
    return [
      ...Array.from({ length: 8 }, () => introspections).flat(),
      ...processes.flatMap((process) => [refreshAt(process), authorizeAt(process)]),
    ];
  };

  /** A process that has just started is many times slower than later: one call after the other until it is not. */
  async function warmUp(kinds: readonly Call[]): Promise<void> {
    const started = performance.now();
    const rounds = Math.ceil(ROTATION_RATE / 4);
    for (let round = 0; round < rounds; round += 1) for (const call of kinds) await call();
    console.info(
      `      alone, a call takes ${((performance.now() - started) / rounds / kinds.length).toFixed(1)} ms`,
    );
  }

  /** Calls at an even rate, whatever the answers take, until the signal comes. */
  async function load(kinds: readonly Call[], signal: AbortSignal): Promise<Tally> {
    const tally: Tally = { calls: 0, failures: [], slowest: 0 };
    const underWay: Promise<void>[] = [];
    const started = performance.now();
    while (!signal.aborted) {
      const due = Math.floor(((performance.now() - started) / 1000) * ROTATION_RATE);
      for (; tally.calls < due; tally.calls += 1)
        underWay.push(callOnce(kinds[tally.calls % kinds.length], tally));
      await delay(5);
    }
    await Promise.all(underWay);
    return tally;
  }

  async function callOnce(call: Call | undefined, tally: Tally): Promise<void> {
    const sentAt = performance.now();
    await call?.().catch((error: unknown) =>
      tally.failures.push(
        error instanceof IntrospectionRefusal ? `${error.code}: ${error.detail}` : String(error),
      ),
    );
    tally.slowest = Math.max(tally.slowest, performance.now() - sentAt);
  }

  /** Until the old keys are gone; gives the ids of the new ones. */
  async function rotateBoth() {
    const old = { signing: await signing("signing"), cookie: await signing("cookie") };
    await delay(500);
    const next = { signing: await rotate("signing"), cookie: await rotate("cookie") };
    for (const use of ["signing", "cookie"] as const)
      await eventually(async () => (await stateOf(next[use])) === "signing", 20_000);
    for (const use of ["signing", "cookie"] as const)
      await eventually(async () => (await stateOf(old[use])) === "gone", 20_000);
    return next;
  }

  it(`fails none of ${ROTATION_RATE} calls a second in two processes, from the order until the old keys are gone (KEY-01)`, async () => {
    const stopping = new AbortController();
    const kinds = kindsOfCalls();
    await warmUp(kinds);
    const loaded = load(kinds, stopping.signal);
    const next = await rotateBoth().finally(() => stopping.abort());
    const { calls, failures, slowest } = await loaded;
    console.info(`      ${calls} calls, ${failures.length} failures, slowest ${Math.round(slowest)} ms`);
    expect([...new Set(failures)]).to.deep.equal([]);
    expect(calls).to.be.at.least(ROTATION_RATE * 8);
    const { body } = await auth.browse({ path: "/oauth/jwks" });
    expect(JSON.parse(body).keys.map(({ kid }: { kid: string }) => kid)).to.deep.equal([next.signing]);
  });
});
