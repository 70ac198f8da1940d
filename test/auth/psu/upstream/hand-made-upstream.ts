import { createSecretKey, randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { type Clock, createMetrics, createPrivateClient, Secret, systemClock } from "@cobs/service-edge";
import type {
  Psu,
  PsuLogin,
  SignInMemory,
  SignInOutcome,
} from "../../../../packages/auth/src/psu/psu-login.ts";
import { createLoginMetrics } from "../../../../packages/auth/src/psu/upstream/login-metrics.ts";
import { createUpstreamFetch } from "../../../../packages/auth/src/psu/upstream/upstream-fetch.ts";
import { createUpstreamLogin } from "../../../../packages/auth/src/psu/upstream/upstream-login.ts";
import { createUpstreamProvider } from "../../../../packages/auth/src/psu/upstream/upstream-provider.ts";
import type { UpstreamSettings } from "../../../../packages/auth/src/psu/upstream/upstream-settings.ts";
import { readableLog } from "../../../support/readable-log.ts";
import { testCertificates } from "../../../support/test-certificates.ts";
import { CLIENT_ID, CLIENT_SECRET, STRONG } from "./bank-provider.ts";
import { RETURN_URI } from "./running-upstream.ts";

/** The login alone, without pages and database. */
export interface HandMadeUpstream {
  readonly login: PsuLogin;
  /** Begins a sign-in, and returns its memory and its authorization request. */
  begin(): Promise<{
    readonly memory: SignInMemory;
    readonly asked: URLSearchParams;
    readonly location: string;
  }>;
  comeBack(
    memory: SignInMemory,
    parameters: URLSearchParams | Record<string, string>,
  ): Promise<SignInOutcome>;
  /** Codes of the refusals that were logged since the last call. */
  refusals(): readonly unknown[];
  /** Numbers of answers so far by outcome, without those that are 0. */
  answers(): Promise<Readonly<Record<string, number>>>;
  readonly logLines: readonly Record<string, unknown>[];
  close(): Promise<void>;
}

/** Default configuration. */
export async function settingsOf(
  issuer: string,
  changed: Partial<UpstreamSettings> = {},
): Promise<UpstreamSettings> {
  const { privateCaFile } = await testCertificates();
  return {
    issuer: new URL(issuer),
    clientId: CLIENT_ID,
    authentication: { kind: "secret", secret: new Secret(CLIENT_SECRET) },
    acrValues: [STRONG],
    psuClaim: "sub",
    nameClaim: "name",
    scope: "openid profile",
    authorities: [readFileSync(privateCaFile, "utf8")],
    ...changed,
  };
}

/** Makes a login on real TLS. */
export function handMadeUpstream(settings: UpstreamSettings, clock: Clock = systemClock): HandMadeUpstream {
  const { log, lines } = readableLog();
  const { issuer: base, authorities: authority } = settings;
  const client = createPrivateClient({ service: "the bank", base, authority, limitOctets: 65_536 });
  const metrics = createMetrics("auth");
  const people = new Map<string, Psu>();
  const login = createUpstreamLogin({
    settings,
    log,
    metrics: createLoginMetrics(metrics),
    clock,
    redirectUri: RETURN_URI,
    provider: createUpstreamProvider({
      settings,
      fetch: createUpstreamFetch(client),
      clock: systemClock,
      log,
    }),
    people: {
      remember: async ({ psu, displayName }) => void people.set(psu, { id: psu, displayName }),
      find: async (psu) => people.get(psu),
    },
    askingKey: createSecretKey(randomBytes(32)),
  });
  let told = 0;
  return {
    login,
    async begin() {
      const memory = await login.begin("state-1");
      const page = await login.present(memory, "cs");
      if (page.page !== "elsewhere") throw new Error("everything is asked elsewhere");
      return { memory, asked: new URL(page.location).searchParams, location: page.location };
    },
    comeBack: (memory, parameters) =>
      login.take(
        memory,
        { kind: "return", parameters: new URLSearchParams(parameters) },
        { now: clock.now(), requestId: "request-1", language: "cs", device: undefined },
      ),
    refusals: () => {
      const found = lines.slice(told).flatMap(({ refusal }) => (refusal === undefined ? [] : [refusal]));
      told = lines.length;
      return found;
    },
    answers: async () => {
      const { body } = await metrics.present();
      const counted = [...body.matchAll(/^login_answers_total\{.*outcome="(\w+)".*\} ([1-9]\d*)$/gm)];
      return Object.fromEntries(counted.map(([, outcome = "", count]) => [outcome, Number(count)]));
    },
    logLines: lines,
    close: () => client.close(),
  };
}
