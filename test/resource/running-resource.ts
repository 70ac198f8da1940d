import { readFileSync } from "node:fs";
import type { Agent } from "node:https";
import {
  configure,
  MIGRATIONS_DIRECTORY,
  type ResourceConfiguration,
  type ResourcePorts,
  startResource,
} from "@cobs/resource";
import { seedSandboxBank } from "@cobs/resource/sandbox";
import { type KeyPairFiles, openDatabase, Secret } from "@cobs/service-edge";
import type {
  SandboxCertificates,
  TppCertificate,
} from "../../packages/sandbox/src/certificates/sandbox-certificates.ts";
import { createLifecycle } from "../../packages/service-edge/src/lifecycle/lifecycle.ts";
import { type CuttableTunnel, noTunnel, openTunnel } from "../support/cuttable-tunnel.ts";
import { type IntrospectionServer, startIntrospectionServer } from "../support/introspection-server.ts";
import { type MovableClock, movableClock } from "../support/movable-clock.ts";
import { onceLogged } from "../support/once-logged.ts";
import { keepConnections, type RawAnswer, send } from "../support/raw-https.ts";
import { readableLog } from "../support/readable-log.ts";
import { testCertificates } from "../support/test-certificates.ts";
import { createMigratedTestDatabase, PATIENT, PATIENT_LIMITS } from "../support/test-databases.ts";
import { CONNECTOR_REQUIRED } from "../support/test-environment.ts";
import { startSandboxCore } from "./connector/sandbox-core.ts";
import { resourceEnvironment } from "./resource-environment.ts";
import { accountIdsOf, MANY, smallBank } from "./small-bank.ts";

export const HOST = "localhost:9443";
export const RESOURCE_SERVER = `https://${HOST}/cobs/2.0`;
export const ISSUER = "https://localhost:8443";
export const ACCOUNTS = "/cobs/2.0/my/accounts";

/** A test's call; what it leaves out is correct. */
export interface TestCall {
  /** Name of a TPP certificate; null presents none. */
  readonly certificate?: string | null;
  /** Files of a certificate that the sandbox did not issue. */
  readonly keyPair?: KeyPairFiles;
  readonly token?: string;
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  readonly body?: string | Buffer | Promise<string>;
  /** Replaces the agent that keeps connections for the next call; false uses a new connection for this call. */
  readonly agent?: Agent | false;
}

/** A resource server over real TLS with a real database, and a stand-in for auth. */
export interface RunningResource {
  readonly config: ResourceConfiguration;
  readonly environment: Readonly<Record<string, string>>;
  readonly ports: ResourcePorts;
  readonly certificates: SandboxCertificates;
  readonly auth: IntrospectionServer;
  readonly clock: MovableClock;
  /** Tunnel between the server and its database, if it was started `tunnelled`. */
  readonly database: CuttableTunnel;
  readonly logLines: readonly Record<string, unknown>[];
  tpp(name: string): TppCertificate;
  /** Makes a token that auth describes as valid for the certificate, with some claims changed; undefined removes one. */
  giveToken(certificate?: string, changed?: Readonly<Record<string, unknown>>): string;
  /** Calls the listener for TPPs, by default with `aisp-pisp` and without a token. Returns when the log has the call's line. */
  call(call: TestCall): Promise<RawAnswer>;
  /** Asks the bank listener as one of its callers, by default `operator`. */
  askBank(
    path: string,
    as?: { readonly caller?: KeyPairFiles; readonly accept?: string },
  ): Promise<RawAnswer>;
  /** Value of a metric, by its name and distinguishing labels, e.g. `x{code="y"`; 0 if missing. */
  metric(start: string): Promise<number>;
  /** Log line of the last answered call. */
  lastCall(): Record<string, unknown>;
  stop(): Promise<void>;
}

/** What this server does not share with other tests. */
interface OwnParts {
  /** Whether its database is behind a tunnel, which slows every statement. */
  readonly tunnelled?: boolean;
}

/**
 * Starts a server with the small bank in its database, by default with the certificates of the test run; `replaced` sets what
 * no variable can.
 */
export async function runResource(
  changed: Readonly<Record<string, string>> = {},
  given?: SandboxCertificates,
  { tunnelled = false, ...replaced }: Partial<ResourceConfiguration> & OwnParts = {},
): Promise<RunningResource> {
  const clock = movableClock();
  const certificates = given ?? (await testCertificates());
  const auth = await startIntrospectionServer({
    keyPair: certificates.server.authBank,
    authority: readFileSync(certificates.privateCaFile, "utf8"),
    issuer: ISSUER,
    audience: "resource",
    now: clock.now,
  });
  const url = new URL(await createMigratedTestDatabase(MIGRATIONS_DIRECTORY));
  const database = tunnelled ? await openTunnel(Number(url.port)) : noTunnel(Number(url.port));
  url.port = String(database.port);
  const core = CONNECTOR_REQUIRED ? await startSandboxCore(new Secret(url.href), certificates) : undefined;
  const environment = {
    ...resourceEnvironment(certificates, auth.url, url.href),
    ...core?.environment,
    ...changed,
  };
  const config = { ...PATIENT_LIMITS, ...configure(environment), ...replaced };
  const { log, lines } = readableLog();
  const lifecycle = createLifecycle(log);
  if (core !== undefined) lifecycle.onStop("core system", core.stop);
  const ports = await startResource(config, { log, lifecycle, clock });
  await seed(config, clock.now());

  const tpp = (name: string) => {
    const found = certificates.tpp.find((each) => each.name === name);
    if (found === undefined) throw new Error(`there is no certificate ${name}`);
    return found;
  };
  const kept = keepConnections();
  let tokens = 0;

  function giveToken(certificate = "aisp-pisp", changes: Readonly<Record<string, unknown>> = {}): string {
    tokens += 1;
    const token = `token-${tokens}.${"x".repeat(30)}`;
    auth.tokens.set(token, { ...describeToken(tpp(certificate), clock.now()), ...changes });
    return token;
  }

  function call({
    certificate = "aisp-pisp",
    token,
    method,
    path,
    headers,
    body,
    agent = kept,
    keyPair,
  }: TestCall) {
    const shown = keyPair ?? (certificate === null ? undefined : tpp(certificate));
    const options = {
      port: ports.mutualTls,
      method: method ?? "GET",
      path: path ?? ACCOUNTS,
      ca: readFileSync(certificates.caFile),
      ...(shown && { cert: readFileSync(shown.certificateFile), key: readFileSync(shown.keyFile) }),
      agent,
      headers: { host: HOST, ...(token && { authorization: `Bearer ${token}` }), ...headers },
    };
    return onceLogged(send(options, body), lines);
  }

  const askBank: RunningResource["askBank"] = (path, { caller = certificates.bank.operator, accept } = {}) =>
    onceLogged(
      send({
        port: ports.bank,
        path,
        ca: readFileSync(certificates.privateCaFile),
        cert: readFileSync(caller.certificateFile),
        key: readFileSync(caller.keyFile),
        headers: { host: "localhost:9444", ...(accept && { accept }) },
      }),
      lines,
    );

  async function metric(start: string): Promise<number> {
    const answer = await fetch(`http://127.0.0.1:${ports.operator}/metrics`);
    const line = (await answer.text()).split("\n").find((each) => each.startsWith(start));
    return Number(line?.split(" ").at(-1) ?? 0);
  }

  return {
    config,
    environment,
    ports,
    certificates,
    auth,
    clock,
    database,
    logLines: lines,
    tpp,
    giveToken,
    call,
    askBank,
    metric,
    lastCall: () => lines.findLast((line) => line.msg === "call") ?? {},
    stop: async () => {
      kept.destroy();
      await lifecycle.stop();
      await auth.close();
      if (tunnelled) await database.cut();
    },
  };
}

async function seed(config: ResourceConfiguration, now: Date): Promise<void> {
  const { log } = readableLog();
  const database = openDatabase({
    url: config.databaseUrl,
    maxConnections: 1,
    applicationName: "seed",
    log,
    timeLimits: PATIENT,
  });
  await seedSandboxBank(database, smallBank(now));
  await database.close();
}

/** Auth's description of a valid token of this certificate's TPP for every account of the PSU with many. */
function describeToken(tpp: TppCertificate, now: Date): Record<string, unknown> {
  const seconds = Math.floor(now.getTime() / 1000);
  return {
    active: true,
    token_type: "Bearer",
    scope: "aisp",
    client_id: "application-1",
    sub: MANY,
    aud: RESOURCE_SERVER,
    iss: ISSUER,
    iat: seconds,
    exp: seconds + 600,
    cnf: { "x5t#S256": tpp.thumbprint },
    consent_id: "consent-1",
    organisation_identifier: tpp.organisationIdentifier,
    account_ids: accountIdsOf(MANY),
    consented_services: ["aisp"],
  };
}
