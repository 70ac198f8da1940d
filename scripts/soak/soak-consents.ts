/**
 * One resource server under the load of very many consents: how much memory it holds, and how often its caches answer, over
 * time. This process plays auth and the callers; the server is a process of its own, on a real database.
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

/** Size of a soak. */
export interface SoakSize {
  readonly consents: number;
  readonly accountsOfEach: number;
  readonly tpps: number;
  readonly psus: number;
  /** How long the load continues once every consent was used. */
  readonly seconds: number;
  readonly sampleSeconds: number;
  readonly callersAtOnce: number;
  /** Whether to run the built server; by default the sources, except in the gate, which builds first. */
  readonly built?: boolean;
}

/** Result of a soak. */
export interface SoakRun {
  /** The first sample is from when every consent has been used, and the caches are full of them. */
  readonly samples: readonly SoakSample[];
  /** Number of calls by status. */
  readonly statuses: ReadonlyMap<number, number>;
}

const ISSUER = "https://localhost:8443";
const HOST = "localhost:9443";
const RESOURCE_SERVER = `https://${HOST}/cobs/2.0`;
/** A consent gets a new token every twelfth call, as if ten minutes were over. */
const CALLS_OF_A_TOKEN = 12;
/**
 * Calls of one visit of a consent: its accounts, then the balance and two pages of the history of one of them, a different one
 * each time.
 */
const CALLS_OF_A_VISIT = ["?size=10", "balance", "transactions?size=10", "transactions?size=20"];

/** Runs a soak, and reports each sample as soon as it is taken. */
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

  /** The token of a consent, which auth describes for ten minutes; replaced every `CALLS_OF_A_TOKEN` calls. */
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
    // The recorded requests are not needed here, and would make this process grow.
    auth.asked.length = 0;
  }

  /** Fills the caches: two tokens of each consent, and two accounts that were asked for without the PSU. */
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

  /** Runs `callersAtOnce` callers, each making one call after the other, until nothing is left to do. */
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
    // Taken only now: on a busy machine the filling may take as long as the whole load.
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

/** Paths of the calls of one visit. */
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
