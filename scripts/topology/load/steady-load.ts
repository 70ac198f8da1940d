/**
 * TPPs and browsers that call a topology continuously through its proxy. Tokens are refreshed and used at once, so that
 * resource must ask auth; accounts, balances and transactions are read; authorizations and payments begin. Nothing is retried,
 * and every answer is checked.
 */
import { readFile } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { Pool } from "undici";
import type {
  ReadyApplication,
  ReadySandbox,
} from "../../../packages/sandbox/src/sandbox-folder/sandbox-document.ts";
import { paymentBody } from "../../../packages/sandbox/src/tpp/payment-body.ts";
import { type CallRecords, recordCalls } from "./record-calls.ts";

/** A running load. */
export interface SteadyLoad {
  readonly records: CallRecords;
  /** Resolves when the last call has its answer. */
  stop(): Promise<void>;
}

/** How much is called. */
export interface LoadSize {
  readonly callers: number;
  /** Pause of each caller between two calls. */
  readonly pauseMilliseconds: number;
}

const KEPT_TOKENS = 40;
const LIMIT_MILLISECONDS = 30_000;
const FORM = "application/x-www-form-urlencoded";

/** Kinds of calls, with their relative frequency. */
const MIX = [
  ["refresh", 3],
  ["accounts", 4],
  ["balance", 2],
  ["transactions", 2],
  ["authorize", 1],
  ["payment", 1],
] as const;
type Kind = (typeof MIX)[number][0];

interface Request {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

interface Answer {
  readonly status: number;
  readonly body: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** Starts calling; the default `size` suits a machine with a few cores. */
export async function startSteadyLoad(
  document: ReadySandbox,
  { callers, pauseMilliseconds }: LoadSize = { callers: 10, pauseMilliseconds: 30 },
): Promise<SteadyLoad> {
  const records = recordCalls();
  const [api, browser] = await openPools(document, callers);
  const acts = createActs(document, api, browser);
  const deck = MIX.flatMap(([kind, count]) => Array<Kind>(count).fill(kind));
  let running = true;
  let turn = 0;
  async function callAgain(): Promise<void> {
    while (running) {
      turn += 1;
      const kind = deck[(turn * 7) % deck.length] ?? "accounts";
      await acts[kind](records);
      await delay(pauseMilliseconds);
    }
  }
  const calling = Array.from({ length: callers }, callAgain);
  return {
    records,
    stop: async () => {
      running = false;
      await Promise.all(calling);
      await Promise.all([api.close(), browser.close()]);
    },
  };
}

async function openPools(document: ReadySandbox, connections: number): Promise<readonly [Pool, Pool]> {
  const { readyApplication, certificates } = document;
  const shown = certificates.find(({ name }) => name === readyApplication.certificate);
  if (shown === undefined) throw new TypeError("the ready application has a certificate");
  const ca = await readFile(document.ca, "utf8");
  const [cert, key] = [await readFile(shown.certificate, "utf8"), await readFile(shown.key, "utf8")];
  const limits = { connections, headersTimeout: LIMIT_MILLISECONDS, bodyTimeout: LIMIT_MILLISECONDS };
  const timeout = LIMIT_MILLISECONDS;
  return [
    new Pool(document.auth.mutualTls, { ...limits, connect: { ca, cert, key, timeout } }),
    new Pool(document.auth.browser, { ...limits, connect: { ca, timeout } }),
  ];
}

async function ask(pool: Pool, request: Request): Promise<Answer> {
  const {
    statusCode: status,
    headers,
    body,
  } = await pool.request({ ...request, body: request.body ?? null });
  return { status, headers, body: await body.text() };
}

type Acts = Readonly<Record<Kind, (records: CallRecords) => Promise<void>>>;

function createActs(document: ReadySandbox, api: Pool, browser: Pool): Acts {
  const { readyApplication: application, psus } = document;
  const psu = psus.find(({ username }) => username === application.psu);
  const [account] = psu?.accounts ?? [];
  if (account === undefined) throw new TypeError("the PSU of the ready application has an account");
  const tokens: string[] = [application.tokens.aisp];
  const base = new URL(document.resourceBase).pathname;
  const read = (kind: Kind, path: string) => (records: CallRecords) =>
    records.follow(kind, [200], async () => {
      const token = tokens[Math.floor(Math.random() * tokens.length)];
      const headers = { authorization: `Bearer ${token}` };
      return (await ask(api, { method: "GET", path: `${base}${path}`, headers })).status;
    });
  return {
    refresh: (records) =>
      records.follow("refresh", [200], async () => {
        const { status, body } = await ask(api, refreshOf(application));
        if (status === 200) tokens.push(accessTokenOf(body));
        if (tokens.length > KEPT_TOKENS) tokens.shift();
        return status;
      }),
    accounts: read("accounts", "/my/accounts"),
    balance: read("balance", `/my/accounts/${account.id}/balance`),
    transactions: read("transactions", `/my/accounts/${account.id}/transactions?size=20`),
    authorize: (records) => openSignIn(records, browser, application),
    payment: (records) =>
      records.follow("payment", [200], async () => {
        const body = paymentBody({ from: account.iban, to: PAYEE, amount: "1.00", currency: "CZK" });
        const headers = {
          authorization: `Bearer ${application.tokens.pisp}`,
          "content-type": "application/json",
        };
        return (await ask(api, { method: "POST", path: `${base}/my/payments`, headers, body })).status;
      }),
  };
}

const PAYEE = "CZ6508000000192000145399";

function refreshOf({ clientId, clientSecret, refreshToken }: ReadyApplication): Request {
  const form = {
    grant_type: "refresh_token",
    refresh_token: refreshToken,
    client_id: clientId,
    client_secret: clientSecret,
    scope: "aisp",
  };
  const body = new URLSearchParams(form).toString();
  return { method: "POST", path: "/oauth/token", headers: { "content-type": FORM }, body };
}

function accessTokenOf(body: string): string {
  const { access_token: token }: { access_token: string } = JSON.parse(body);
  return token;
}

/** Sends an authorization request, and opens the sign-in page that it leads to. */
async function openSignIn(
  records: CallRecords,
  browser: Pool,
  { clientId, redirectUri }: ReadyApplication,
): Promise<void> {
  const query = {
    response_type: "code",
    client_id: clientId,
    redirect_uri: redirectUri,
    scope: "aisp",
    state: "s",
  };
  let next: Request | undefined;
  await records.follow("authorize", [303], async () => {
    const path = `/oauth/authorize?${new URLSearchParams(query)}`;
    const { status, headers } = await ask(browser, { method: "GET", path, headers: {} });
    const { location } = headers;
    if (typeof location === "string") {
      const { pathname, search } = new URL(location, "https://localhost");
      next = {
        method: "GET",
        path: `${pathname}${search}`,
        headers: { cookie: cookiesOf(headers["set-cookie"]) },
      };
    }
    return status;
  });
  const request = next;
  if (request !== undefined)
    await records.follow("sign-in page", [200], async () => (await ask(browser, request)).status);
}

function cookiesOf(set: string | string[] | undefined): string {
  return [set ?? []]
    .flat()
    .map((cookie) => cookie.split(";", 1)[0])
    .join("; ");
}
