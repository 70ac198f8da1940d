import { readFileSync } from "node:fs";
import {
  configure,
  MIGRATIONS_DIRECTORY,
  type ResourceConfiguration,
  type ResourcePorts,
  startResource,
} from "@cobs/resource";
import { seedSandboxBank } from "@cobs/resource/sandbox";
import { openDatabase, Secret } from "@cobs/service-edge";
import type { SandboxCertificates } from "../../packages/sandbox/src/certificates/sandbox-certificates.ts";
import { createLifecycle } from "../../packages/service-edge/src/lifecycle/lifecycle.ts";
import { type CuttableTunnel, noTunnel, openTunnel } from "../support/cuttable-tunnel.ts";
import { type IntrospectionServer, startIntrospectionServer } from "../support/introspection-server.ts";
import { type MovableClock, movableClock } from "../support/movable-clock.ts";
import { readableLog } from "../support/readable-log.ts";
import { testCertificates } from "../support/test-certificates.ts";
import { createMigratedTestDatabase, PATIENT, PATIENT_LIMITS } from "../support/test-databases.ts";
import { CONNECTOR_REQUIRED } from "../support/test-environment.ts";
import { startSandboxCore } from "./connector/sandbox-core.ts";
import { beginCalls, ISSUER, type ResourceCalls } from "./resource-calls.ts";
import { resourceEnvironment } from "./resource-environment.ts";
import { smallBank } from "./small-bank.ts";

/** A resource server over real TLS with a real database, and a stand-in for auth. */
export interface RunningResource extends ResourceCalls {
  readonly config: ResourceConfiguration;
  readonly environment: Readonly<Record<string, string>>;
  readonly ports: ResourcePorts;
  readonly certificates: SandboxCertificates;
  readonly auth: IntrospectionServer;
  readonly clock: MovableClock;
  /** Tunnel between the server and its database, if it was started `tunnelled`. */
  readonly database: CuttableTunnel;
  readonly logLines: readonly Record<string, unknown>[];
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

  const { calls, end } = beginCalls({ ports, certificates, auth, clock, lines });
  return {
    config,
    environment,
    ports,
    certificates,
    auth,
    clock,
    database,
    logLines: lines,
    ...calls,
    stop: async () => {
      end();
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
