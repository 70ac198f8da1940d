/**
 * `npm run topology`: two processes of each service behind HAProxy, for a person to call, to signal and to restart. Ctrl-C
 * stops it; `--help` tells its options.
 */
import { inspect } from "node:util";
import { parseDatabasePlace } from "@cobs/service-edge/configuration";
import { PostgresRefusal } from "../../packages/sandbox/src/postgres/postgres-refusal.ts";
import {
  createCommand,
  readCommandLine,
  WrongUsage,
  wholeNumber,
} from "../../packages/sandbox/src/processes/read-command-line.ts";
import { SandboxRefusal } from "../../packages/sandbox/src/start/sandbox-refusal.ts";
import { startTopology, type Topology } from "./start-topology.ts";

const MOST_PROCESSES = 4;

interface TopologyWish {
  readonly directory: string;
  readonly processes: number;
  readonly authDatabase?: string;
  readonly resourceDatabase?: string;
  readonly redis?: string;
  readonly json?: boolean;
}

const COMMAND = createCommand(
  "npm run topology",
  "Starts processes of each service behind HAProxy, to be called, signalled and restarted. Ctrl-C stops everything.",
)
  .option("--directory <folder>", "where it keeps everything", ".topology")
  .option("--processes <number>", "of each service", wholeNumber(1, MOST_PROCESSES), 2)
  .option("--auth-database <url>", "PostgreSQL of auth; without it and the next an embedded one has both")
  .option("--resource-database <url>", "PostgreSQL of resource")
  .option("--redis <url>", "Redis of auth; without it PostgreSQL keeps everything")
  .option("--json", "print one line of JSON on standard output, once it is ready")
  .addHelpText("after", "\nExit codes: 0 stopped, 1 it could not start, 2 wrong usage.");

const { database, ...wanted } = readCommandLine(COMMAND, readWish);

/** With both databases, or with neither. */
function readWish({ authDatabase: auth, resourceDatabase: resource, ...wish }: TopologyWish) {
  requireDatabase("--auth-database", auth);
  requireDatabase("--resource-database", resource);
  if (auth !== undefined && resource !== undefined) return { ...wish, database: { auth, resource } };
  if (auth === resource) return { ...wish, database: undefined };
  throw new WrongUsage("--auth-database and --resource-database are given together");
}

function presentPlain({ document, origins, members, proxyPid }: Topology): string {
  const { readyApplication, certificates, directory, resourceBase } = document;
  const shown = certificates.find(({ name }) => name === readyApplication.certificate);
  const rows = members.map(
    ({ service, index, pid, operatorPort }) =>
      `  ${`${service}-${index + 1}`.padEnd(12)} pid ${String(pid).padEnd(8)} http://127.0.0.1:${operatorPort}/readyz`,
  );
  return [
    `API host      ${origins.api}`,
    `browser host  ${origins.browser}`,
    ...rows,
    `  ${"haproxy".padEnd(12)} pid ${proxyPid}`,
    `logs          ${directory}/logs`,
    `curl --cacert ${document.ca} --cert ${shown?.certificate} --key ${shown?.key} \\`,
    `  -H "Authorization: Bearer ${readyApplication.tokens.aisp}" ${resourceBase}/my/accounts`,
    "Restart a member with kill -TERM; it drains, and is started again. Ctrl-C stops everything.",
  ].join("\n");
}

/** A member that ends is started again, as an orchestrator does. */
function keepMembers(topology: Topology, isStopping: () => boolean): void {
  for (const member of topology.members) {
    const watch = async () => {
      while (!isStopping()) {
        const end = await topology.ended(member);
        if (isStopping()) return;
        say(`${member.service}-${member.index + 1} ended (${end}); starting it again`);
        await topology.start(member).catch((error: unknown) => say(String(error)));
      }
    };
    void watch();
  }
}

function say(line: string): void {
  process.stderr.write(`${(performance.now() / 1000).toFixed(1).padStart(7)} s  ${line}\n`);
}

/** Not where the option is read: there its value is told, and with it a password. */
function requireDatabase(option: string, url: string | undefined): void {
  try {
    if (url !== undefined) parseDatabasePlace(url);
  } catch (error) {
    throw new WrongUsage(`${option} ${error instanceof Error ? error.message : "cannot be read"}`);
  }
}

const { json, ...options } = wanted;
const topology = await startTopology({ ...options, ...(database && { database }), say }).catch(endWithout);

/** What is expected is a sentence, as is a folder that cannot be used; anything else is a fault of ours, with its stack. */
function endWithout(error: unknown): never {
  const isExpected =
    [SandboxRefusal, PostgresRefusal].some((kind) => error instanceof kind) ||
    (error instanceof Error && "syscall" in error && "path" in error);
  const why = isExpected && error instanceof Error ? error.message : inspect(error);
  process.stderr.write(`npm run topology: it could not start: ${why}\n`);
  process.exit(1);
}

let stopping = false;
const stop = () => {
  stopping = true;
  void topology.stop().then(() => process.exit(0));
};
process.once("SIGINT", stop).once("SIGTERM", stop);
keepMembers(topology, () => stopping);
const { document, origins, proxyPid } = topology;
const members = topology.members.map(({ service, index, pid, operatorPort }) => ({
  service,
  index,
  pid,
  operatorPort,
}));
process.stdout.write(
  json
    ? `${JSON.stringify({ ready: true, origins, proxyPid, members, document })}\n`
    : `${presentPlain(topology)}\n`,
);
