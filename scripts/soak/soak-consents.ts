/**
 * One resource server under the load of very many consents: what it holds, and how often its caches answer, over time. The
 * other side of introspection and the callers are this process; the server is one of its own, on a real database.
 */
import { readFileSync } from "node:fs";
import { Agent } from "node:https";
import { resourceEnvironment } from "../../test/resource/resource-environment.ts";
import { startIntrospectionServer } from "../../test/support/introspection-server.ts";
import { send } from "../../test/support/raw-https.ts";
import { temporaryFolder } from "../../test/support/temporary-folder.ts";
import { createTestDatabase } from "../../test/support/test-databases.ts";
import { accountsOf, seedSoakBank } from "./soak-bank.ts";
import { issueForSoak, type SoakTpp } from "./soak-certificates.ts";
import { presentSample, type SoakSample } from "./soak-sample.ts";
import { startSoakedResource } from "./soaked-resource.ts";

/** How large a soak is. */
export interface SoakSize {
  readonly consents: number;
  readonly accountsOfEach: number;
  readonly tpps: number;
  readonly psus: number;
  /** How long the load goes on once every consent was used. */
  readonly seconds: number;
  readonly sampleSeconds: number;
  readonly callersAtOnce: number;
  /** Runs what was built; without it the sources, except in the gate, which builds first. */
  readonly built?: boolean;
}

/** What came of it. */
export interface SoakRun {
  /** The first one is of the moment when every consent was used, and what is remembered is full of them. */
  readonly samples: readonly SoakSample[];
  /** How many calls had each status. */
  readonly statuses: ReadonlyMap<number, number>;
}

const ISSUER = "https://localhost:8443";
const HOST = "localhost:9443";
const RESOURCE_SERVER = `https://${HOST}/cobs/2.0`;
/** A consent that comes again has a new token every twelfth time, as when ten minutes are over. */
const CALLS_OF_A_TOKEN = 12;
/** Each consent that has its turn lists its accounts, and looks at one of them, another each time: two pages of its history. */
const CALLS_OF_A_VISIT = ["?size=10", "balance", "transactions?size=10", "transactions?size=20"];

/** Runs one, and tells each sample as soon as it is taken. */
export async function soakConsents(size: SoakSize, tell: (line: string) => void): Promise<SoakRun> {
  const folder = temporaryFolder();
  const { sandbox, tpps } = await issueForSoak(`${folder.path}/certificates`, size.tpps);
  const auth = await startIntrospectionServer({
    keyPair: sandbox.server.authBank,
    authority: readFileSync(sandbox.privateCaFile, "utf8"),
    issuer: ISSUER,
    audience: "resource",
    now: () => new Date(),
  });
  const databaseUrl = await createTestDatabase();
  await seedSoakBank(databaseUrl, size.psus, size.accountsOfEach);
  const resource = await startSoakedResource(resourceEnvironment(sandbox, auth.url, databaseUrl), size);
  const agents = tpps.map(() => new Agent({ keepAlive: true, maxSockets: 4 }));
  const consents = Array.from({ length: size.consents }, (_, place) => consentOf(place));
  const statuses = new Map<number, number>();
  const ca = readFileSync(sandbox.caFile);
  let calls = 0;

  function consentOf(place: number) {
    const psu = place % size.psus;
    const accounts = accountsOf(psu, size.accountsOfEach);
    return { place, tpp: place % size.tpps, psu, accounts, token: "", used: place % CALLS_OF_A_TOKEN };
  }

  /** The token of a consent, which auth describes for ten minutes; every so often another one. */
  function tokenOf(consent: ReturnType<typeof consentOf>): string {
    const isDue = consent.token === "" || consent.used % CALLS_OF_A_TOKEN === 0;
    consent.used += 1;
    if (!isDue) return consent.token;
    auth.tokens.delete(consent.token);
    consent.token = `soak-${consent.place}-${consent.used}.${"x".repeat(30)}`;
    auth.tokens.set(consent.token, describe(consent, tpps[consent.tpp]));
    return consent.token;
  }

  async function callFor(consent: ReturnType<typeof consentOf>, path: string): Promise<void> {
    const certificate = tpps[consent.tpp]?.certificate;
    const { status } = await send({
      port: resource.port,
      path: `/cobs/2.0/my/accounts${path}`,
      agent: agents[consent.tpp],
      ca,
      cert: certificate?.chainPem,
      key: certificate?.privateKeyPem,
      headers: { host: HOST, authorization: `Bearer ${tokenOf(consent)}`, "user-involved": "false" },
    });
    calls += 1;
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    // What was asked is of no use here, and would be this process's own growth.
    auth.asked.length = 0;
  }

  /** Fills what is remembered: two tokens of each consent, and two accounts that were asked for without the PSU. */
  async function fillFor(consent: ReturnType<typeof consentOf>): Promise<void> {
    const [first, second] = consent.accounts;
    await callFor(consent, `/${first}/balance`);
    auth.tokens.delete(consent.token);
    consent.token = "";
    await callFor(consent, `/${second}/balance`);
  }

  async function visitFor(consent: ReturnType<typeof consentOf>, visit: number): Promise<void> {
    for (const path of pathsOf(visit, consent.accounts)) await callFor(consent, path);
  }

  /** So many callers, each with one call after the other, until nothing is left to do. */
  async function atOnce(next: () => (() => Promise<void>) | undefined): Promise<void> {
    const caller = async () => {
      for (let act = next(); act !== undefined; act = next()) await act();
    };
    await Promise.all(Array.from({ length: size.callersAtOnce }, caller));
  }

  async function sample(startedAt: number): Promise<SoakSample> {
    const [memory, metrics] = [await resource.memory(), await resource.metrics()];
    const taken = { seconds: (performance.now() - startedAt) / 1000, calls, memory, metrics };
    tell(presentSample(taken, samples.at(-1)));
    return taken;
  }

  const samples: SoakSample[] = [];
  try {
    let place = 0;
    await atOnce(() => {
      const consent = consents[place++];
      return consent && (() => fillFor(consent));
    });
    samples.push(await sample(performance.now()));
    // Only now: on a busy machine that may take as long as the whole load.
    const startedAt = performance.now();
    for (let due = size.sampleSeconds; due <= size.seconds; due += size.sampleSeconds) {
      await atOnce(() => {
        if (performance.now() - startedAt >= due * 1000) return undefined;
        const visit = place++;
        const consent = consents[visit % consents.length];
        return consent && (() => visitFor(consent, visit));
      });
      samples.push(await sample(startedAt));
    }
    return { samples, statuses };
  } finally {
    for (const agent of agents) agent.destroy();
    await resource.stop();
    await auth.close();
    folder.remove();
  }
}

/** The calls of one visit. */
function pathsOf(visit: number, accounts: readonly string[]): readonly string[] {
  const account = accounts[visit % accounts.length];
  return CALLS_OF_A_VISIT.map((path) => (path.startsWith("?") ? path : `/${account}/${path}`));
}

function describe(
  {
    place,
    psu,
    accounts,
  }: { readonly place: number; readonly psu: number; readonly accounts: readonly string[] },
  tpp: SoakTpp | undefined,
): Record<string, unknown> {
  const seconds = Math.floor(Date.now() / 1000);
  return {
    active: true,
    token_type: "Bearer",
    scope: "aisp",
    client_id: `soak-application-${place % 1_000}`,
    sub: `soak-psu-${psu}`,
    aud: RESOURCE_SERVER,
    iss: ISSUER,
    iat: seconds,
    exp: seconds + 600,
    cnf: { "x5t#S256": tpp?.certificate.thumbprint },
    consent_id: `soak-consent-${place}`,
    organisation_identifier: tpp?.organisationIdentifier,
    account_ids: accounts,
    consented_services: ["aisp"],
    auth_time: seconds,
  };
}
