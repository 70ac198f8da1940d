/**
 * The composition of a sandbox: the order of starting, and what runs in parallel. PostgreSQL starts first because it takes
 * longest; certificates and keys are made meanwhile; the services start before their databases exist, and wait for them. It
 * owns processes and files, not what the services do.
 */
import { type SandboxCertificates, writeSandboxCertificates } from "../certificates/sandbox-certificates.ts";
import { readAnsweringAuthorities } from "../revocation/answering-authorities.ts";
import { openRevocationResponder, revocationUrls } from "../revocation/revocation-responder.ts";
import { openRevokedCertificates } from "../revocation/revoked-certificates.ts";
import type { SandboxDocument } from "../sandbox-folder/sandbox-document.ts";
import { type SandboxLayout, sandboxLayout } from "../sandbox-folder/sandbox-layout.ts";
import { choosePorts } from "./choose-ports.ts";
import type { SandboxConfig, SandboxCore } from "./config.ts";
import { planDatabases, type SandboxDatabases } from "./databases.ts";
import type { SandboxPorts } from "./env.ts";
import type { Filling } from "./fill-sandbox.ts";
import { keepDatabaseServer, needsDatabaseServer } from "./keep-database-server.ts";
import { lockSandbox } from "./lock-sandbox.ts";
import { makeSandboxFolder } from "./make-sandbox-folder.ts";
import { type OpenDocument, openDocument } from "./open-document.ts";
import { ownPartsOf, tellOwnParts } from "./own-parts.ts";
import { runCore } from "./run-core.ts";
import { gatherFacts } from "./sandbox-facts.ts";
import { keepSealingKey } from "./sandbox-secrets.ts";
import type { ServiceEnvironment } from "./service-environment.ts";
import { type StartedServices, startServices } from "./start-services.ts";
import type { StopOrder } from "./stop-order.ts";

/** What a sandbox needs to start besides its configuration. */
export interface SandboxStart {
  /** The part of our environment that a service needs to run at all, such as `PATH`. */
  readonly inherited: ServiceEnvironment;
  readonly stopOrder: StopOrder;
  /** Prints a line for the person at the terminal. */
  readonly say: (line: string) => void;
}

// After kill -9 of a supervisor, its services end by themselves within this time.
const ABANDONED_PATIENCE_MILLISECONDS = 8_000;

/** Starts everything and waits until it is ready. Refuses with the codes of `SandboxRefusal` and `PostgresRefusal`. */
export async function startSandbox(config: SandboxConfig, start: SandboxStart): Promise<SandboxDocument> {
  const prepared = await prepare(config, start);
  const { layout, document, say } = prepared;
  tellOwnParts(ownPartsOf(config.forAuth), say);
  const [postgres, { certificates, services, filling }] = await Promise.all([
    runDatabases(config, prepared),
    runServices(prepared),
  ]);
  const { people } = filling;
  const { directory } = layout;
  const facts = gatherFacts({ ...prepared, directory, certificates, people });
  const seeded = filling.seed();
  const becomeReady = async () => {
    await services.ready();
    const kept = await services.keep(document.rewrite);
    const readyApplication = await filling.keepReadyApplication(facts, seeded);
    say(
      readyApplication === null
        ? "there is no ready application: npm run tpp -- register makes one of your own"
        : "the ready application has its tokens",
    );
    return { kept, readyApplication };
  };
  const [{ kept, readyApplication }] = await Promise.all([becomeReady(), seeded]);
  return document.write(() => ({
    ...facts,
    readyApplication,
    processes: {
      supervisor: process.pid,
      auth: kept.auth.pid,
      resource: kept.resource.pid,
      postgres: postgres?.pid ?? null,
    },
  }));
}

interface Prepared extends SandboxStart {
  readonly layout: SandboxLayout;
  readonly ports: SandboxPorts;
  readonly databases: SandboxDatabases;
  readonly document: OpenDocument;
  readonly core: SandboxCore;
  readonly forAuth: SandboxConfig["forAuth"];
}

async function prepare(config: SandboxConfig, start: SandboxStart): Promise<Prepared> {
  const layout = sandboxLayout(config.directory);
  await makeSandboxFolder(layout.directory);
  const lock = await lockSandbox(layout.lock);
  await start.stopOrder.add({ stop: () => lock.release() });
  const ports = await choosePorts({
    ports: config.ports,
    unused: needsDatabaseServer(config) ? ["callback"] : ["callback", "postgres"],
    patienceMilliseconds: lock.abandoned ? ABANDONED_PATIENCE_MILLISECONDS : 0,
  });
  const databases = await planDatabases(config, layout, ports.postgres);
  const { core, forAuth } = config;
  return { ...start, layout, ports, databases, core, forAuth, document: openDocument(layout.document) };
}

async function runDatabases(config: SandboxConfig, prepared: Prepared) {
  if (!needsDatabaseServer(config)) return undefined;
  const { layout, ports, document } = prepared;
  const where = { directory: layout.postgres, port: ports.postgres };
  return keepDatabaseServer({ ...prepared, ...where, onRestart: document.rewrite });
}

/** Runs the responder of the test CA in this process: it is needed before the services are ready, and never without them. */
async function answerRevocation({ layout, ports, stopOrder, say: tell }: Prepared): Promise<void> {
  const authorities = () => readAnsweringAuthorities(layout.certificates);
  const revoked = openRevokedCertificates(layout.certificates);
  const port = ports.revocation;
  await stopOrder.add(await openRevocationResponder({ authorities, revoked, port, tell }));
}

interface RunningServices {
  readonly certificates: SandboxCertificates;
  readonly services: StartedServices;
  readonly filling: Filling;
}

async function runServices(prepared: Prepared): Promise<RunningServices> {
  const { layout, ports, forAuth, say } = prepared;
  const urls = revocationUrls(ports.revocation);
  const certificates = await writeSandboxCertificates(layout.certificates, new Date(), urls);
  await Promise.all([keepSealingKey(layout), answerRevocation(prepared)]);
  say(`certificates and keys are in ${layout.directory}`);
  const coreUrl = await runCore(prepared);
  const surroundings = { layout, ports, certificates, coreUrl, forAuth };
  const services = await startServices({ ...prepared, surroundings });
  // Loaded only now, while the services load: it needs most of what they need.
  const { prepareFilling } = await import("./fill-sandbox.ts");
  return { certificates, services, filling: await prepareFilling(prepared) };
}
