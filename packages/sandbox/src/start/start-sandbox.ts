/**
 * The composition of a sandbox: what is made in which order, and what runs beside what. PostgreSQL starts first because
 * it takes longest; certificates and keys are made meanwhile; the services start before their databases exist and wait
 * for them. It owns processes and files; what the services do is theirs.
 */
import { mkdir, readFile } from "node:fs/promises";
import { createLog, type Log } from "@cobs/service-edge";
import { makeDemoBank } from "../bank/demo-bank.ts";
import { type SandboxCertificates, writeSandboxCertificates } from "../certificates/sandbox-certificates.ts";
import type { UsedSteps } from "../tpp/one-time-codes.ts";
import { openUsedSteps, usedStepsFile } from "../tpp/used-steps-file.ts";
import { choosePorts } from "./choose-ports.ts";
import type { SandboxConfig } from "./config.ts";
import { planDatabases, type SandboxDatabases } from "./databases.ts";
import type { SandboxPorts } from "./env.ts";
import { keepDatabaseServer, needsDatabaseServer } from "./keep-database-server.ts";
import { lengthenTokens } from "./lengthen-tokens.ts";
import { lockSandbox } from "./lock-sandbox.ts";
import { openDocument } from "./open-document.ts";
import { keepPsuCredentials } from "./psu-credentials.ts";
import { keepReadyApplication } from "./ready-application.ts";
import type { DocumentedPsu, SandboxDocument } from "./sandbox-document.ts";
import { documentPsus, gatherFacts } from "./sandbox-facts.ts";
import { type SandboxLayout, sandboxLayout } from "./sandbox-layout.ts";
import { keepServiceKeys } from "./sandbox-secrets.ts";
import { seedSandbox } from "./seed-sandbox.ts";
import type { ServiceEnvironment } from "./service-environment.ts";
import { appendToLog } from "./service-log.ts";
import { type StartedServices, startServices } from "./start-services.ts";
import type { StopOrder } from "./stop-order.ts";

/** What a sandbox is started with beside its configuration. */
export interface SandboxStart {
  readonly inherited: ServiceEnvironment;
  readonly stopOrder: StopOrder;
  /** Says a line to the person at the terminal. */
  readonly say: (line: string) => void;
}

/** A sandbox that is ready. */
export interface StartedSandbox {
  readonly document: SandboxDocument;
  readonly usedSteps: UsedSteps;
}

const SEED = "sandbox";
// After kill -9 of a supervisor its services end by themselves within this time.
const ABANDONED_PATIENCE_MILLISECONDS = 8_000;

/** Starts everything and waits until it is ready. Refuses with the codes of `SandboxRefusal` and `PostgresRefusal`. */
export async function startSandbox(config: SandboxConfig, start: SandboxStart): Promise<StartedSandbox> {
  const prepared = await prepare(config, start);
  const { layout, databases, document } = prepared;
  const [postgres, { certificates, services }] = await Promise.all([
    runDatabases(config, prepared),
    runServices(prepared),
  ]);
  const psus = await fill(prepared, services);
  const kept = await services.keep(document.rewrite);
  const facts = gatherFacts({ ...prepared, directory: layout.directory, certificates, psus });
  const usedSteps = openUsedSteps(usedStepsFile(layout.directory));
  const readyApplication = await keepReadyApplication(facts, {
    file: layout.readyApplication,
    usedSteps,
    lengthenTokens: (clientId) => lengthenTokens({ databases, log: prepared.log }, clientId),
    say: start.say,
  });
  const written = await document.write(() => ({
    ...facts,
    readyApplication,
    processes: {
      supervisor: process.pid,
      auth: kept.auth.pid,
      resource: kept.resource.pid,
      postgres: postgres?.pid ?? null,
    },
  }));
  return { document: written, usedSteps };
}

interface Prepared extends SandboxStart {
  readonly layout: SandboxLayout;
  readonly ports: SandboxPorts;
  readonly databases: SandboxDatabases;
  readonly document: ReturnType<typeof openDocument>;
  readonly log: Log;
}

async function prepare(config: SandboxConfig, start: SandboxStart): Promise<Prepared> {
  const layout = sandboxLayout(config.directory);
  await mkdir(layout.directory, { recursive: true, mode: 0o700 });
  const lock = await lockSandbox(layout.lock);
  await start.stopOrder.add({ stop: () => lock.release() });
  const ports = await choosePorts({
    ports: config.ports,
    unused: needsDatabaseServer(config) ? ["callback"] : ["callback", "postgres"],
    patienceMilliseconds: lock.abandoned ? ABANDONED_PATIENCE_MILLISECONDS : 0,
  });
  const databases = await planDatabases(config, layout, ports.postgres);
  const log = createLog("sandbox", "info", appendToLog(layout.logs.sandbox));
  return { ...start, layout, ports, databases, log, document: openDocument(layout.document) };
}

async function runDatabases(config: SandboxConfig, prepared: Prepared) {
  if (!needsDatabaseServer(config)) return undefined;
  const { layout, ports, document } = prepared;
  const where = { directory: layout.postgres, port: ports.postgres };
  return keepDatabaseServer({ ...prepared, ...where, onRestart: document.rewrite });
}

async function runServices(
  prepared: Prepared,
): Promise<{ readonly certificates: SandboxCertificates; readonly services: StartedServices }> {
  const { layout, ports } = prepared;
  const certificates = await writeSandboxCertificates(layout.certificates, new Date());
  await keepServiceKeys(layout);
  const services = await startServices({ ...prepared, surroundings: { layout, ports, certificates } });
  return { certificates, services };
}

/** Brings in customers and their credentials while the services get ready. */
async function fill(prepared: Prepared, services: StartedServices): Promise<readonly DocumentedPsu[]> {
  const { layout } = prepared;
  const bank = makeDemoBank({ seed: SEED, asOf: new Date() });
  const usernames = bank.psus.map(({ username }) => username);
  const psus = documentPsus(bank, await keepPsuCredentials(layout.psuCredentials, usernames));
  const sealingKey = await readFile(layout.sealingKey, "utf8");
  await Promise.all([seedSandbox({ ...prepared, psus, bank, sealingKey }), services.ready()]);
  return psus;
}
