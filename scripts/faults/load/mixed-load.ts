/**
 * Callers of every kind, who continue while something is broken: they read accounts, refresh tokens, open pages, rename an
 * application and revoke tokens. Every confirmed change is remembered, and must still hold afterwards.
 */
import { setTimeout as delay } from "node:timers/promises";
import { refreshForm } from "../../../test/journeys/plain-authorization.ts";
import type { TppClient } from "../../../test/support/tpp-client.ts";
import type { FaultAccess, FaultBank } from "../scene/fault-bank.ts";
import { type JudgedCalls, startJudgedCalls } from "./judged-calls.ts";
import { type CallKind, Tally } from "./tally.ts";

/** A revoked token, with the moment at which its revocation was answered. */
interface Ended {
  readonly accessToken: string;
  readonly at: number;
}

/** A running load. */
export interface MixedLoad extends Pick<JudgedCalls, "unanswered" | "answeredCall"> {
  readonly tally: Tally;
  /** Access tokens that were issued and not revoked. */
  readonly answered: readonly string[];
  /** Tokens whose revocation was answered with success. */
  readonly revoked: readonly Ended[];
  /** The application's last confirmed name, and the names that were tried after it. */
  readonly names: () => { readonly answered: string; readonly tried: readonly string[] };
  stop(): Promise<void>;
}

/** Number of callers of each kind. */
const CALLERS: readonly (readonly [CallKind, number])[] = [
  ["reads", 3],
  ["tokens", 2],
  ["pages", 1],
  ["writes", 1],
  ["revocations", 1],
];
const PAUSE_MILLISECONDS = 40;
const PAUSE_AFTER_FAILURE_MILLISECONDS = 120;
/** Within this time a revoked token is refused everywhere, even while something is broken. */
const FRESHNESS_MILLISECONDS = 5_000;

/** Starts the callers, who go on until `stop`. */
export function startMixedLoad(bank: FaultBank, access: FaultAccess): MixedLoad {
  const tally = new Tally();
  const answered: string[] = [access.accessToken];
  const revoked: Ended[] = [];
  const { call, unanswered, answeredCall } = startJudgedCalls(tally);
  let [lastName, tried] = [access.application.clientId, [] as string[]];
  let running = true;

  const steps: Readonly<Record<CallKind, () => Promise<boolean>>> = {
    reads: async () => {
      const token = answered[Math.floor(Math.random() * answered.length)] ?? access.accessToken;
      return (await call("reads", (named) => bank.tpp.get(token, "/my/accounts", named))) !== undefined;
    },
    tokens: async () => {
      const form = refreshForm(access.application, access.refreshToken);
      const answer = await call("tokens", (named) => postForm(bank, "/oauth/token", form, named));
      if (answer !== undefined) answered.push(readAccessToken(await answer.json()));
      return answer !== undefined;
    },
    pages: async () =>
      (await call("pages", (named) => bank.openPage(access.application, named))) !== undefined,
    writes: async () => {
      const name = `Named at ${Math.round(performance.now())}`;
      tried.push(name);
      const answer = await call("writes", (named) => bank.rename(access.application, name, named));
      if (answer !== undefined) [lastName, tried] = [name, []];
      return answer !== undefined;
    },
    revocations: async () => {
      await probeRevoked(bank.tpp, revoked, tally);
      if (answered.length < 4) return true;
      const accessToken = answered.pop() ?? "";
      await bank.tpp.get(accessToken, "/my/accounts").catch(() => undefined);
      const form = revocationForm(access, accessToken);
      const answer = await call("revocations", (named) => postForm(bank, "/oauth/revoke", form, named));
      // Without an answer it may be revoked or not, so nobody uses it any more.
      if (answer !== undefined) revoked.push({ accessToken, at: performance.now() });
      return answer !== undefined;
    },
  };

  async function callAgain(kind: CallKind): Promise<void> {
    while (running)
      await delay((await steps[kind]()) ? PAUSE_MILLISECONDS : PAUSE_AFTER_FAILURE_MILLISECONDS);
  }
  const callers = CALLERS.flatMap(([kind, count]) => Array.from({ length: count }, () => callAgain(kind)));
  return {
    tally,
    unanswered,
    answeredCall,
    answered,
    revoked,
    names: () => ({ answered: lastName, tried }),
    stop: async () => {
      running = false;
      await Promise.all(callers);
    },
  };
}

/** Presents a random token that was revoked long enough ago. */
async function probeRevoked(tpp: TppClient, revoked: readonly Ended[], tally: Tally): Promise<void> {
  const old = revoked.filter(({ at }) => performance.now() - at > FRESHNESS_MILLISECONDS);
  const chosen = old[Math.floor(Math.random() * old.length)];
  if (chosen === undefined) return;
  const answer = await tpp.get(chosen.accessToken, "/my/accounts").catch(() => undefined);
  if (answer?.status !== 200) return;
  tally.record("reads", {
    at: performance.now(),
    status: 200,
    good: false,
    breach: "a revoked token was accepted",
  });
}

function revocationForm({ application }: FaultAccess, token: string): Readonly<Record<string, string>> {
  return { token, client_id: application.clientId, client_secret: application.clientSecret };
}

function readAccessToken(body: unknown): string {
  if (typeof body !== "object" || body === null || !("access_token" in body))
    throw new TypeError("an answer of the token endpoint has a token");
  return String(body.access_token);
}

/** Posts a form to the API host. */
export function postForm(
  { tpp, api }: FaultBank,
  path: string,
  form: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  return tpp.fetch(`${api}${path}`, {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
    body: new URLSearchParams(form).toString(),
    redirect: "manual",
  });
}
