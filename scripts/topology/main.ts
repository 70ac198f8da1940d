/**
 * `npm run topology`: runs two processes of each service behind HAProxy, for a person to call, signal and restart. Ctrl-C stops
 * it. `--help` lists its options.
 */
import { inspect } from "node:util";
import { ConfigurationRefusal } from "@cobs/service-edge/configuration";
import { PostgresRefusal } from "../../packages/sandbox/src/postgres/postgres-refusal.ts";
import { isUnwritable } from "../../packages/sandbox/src/processes/error-codes.ts";
import { SandboxRefusal } from "../../packages/sandbox/src/start/sandbox-refusal.ts";
import { onInterruption } from "../../packages/sandbox/src/terminal/on-interruption.ts";
import { readCommandLine } from "../../packages/sandbox/src/terminal/read-command-line.ts";
import { shellWord } from "../../packages/sandbox/src/terminal/shell-word.ts";
import { TOPOLOGY_COMMAND, type TopologyCommandLine } from "./command-line.ts";
import { configureTopology, type ExternalStores } from "./configuration.ts";
import type { Topology } from "./start-topology.ts";

const EXIT_CONFIGURATION = 78;

const wanted = await readCommandLine(TOPOLOGY_COMMAND, (options: TopologyCommandLine) => options);
const { database, redis } = readStores();

function readStores(): ExternalStores {
  try {
    return configureTopology(process.env);
  } catch (error) {
    if (!(error instanceof ConfigurationRefusal)) throw error;
    process.stderr.write(`npm run topology: ${error.message}\n`);
    process.exit(EXIT_CONFIGURATION);
  }
}

function presentPlain({ document, origins, members, proxyPid }: Topology): string {
  const { readyApplication, certificates, directory, resourceBase } = document;
  const shown = certificates.find(({ name }) => name === readyApplication.certificate);
  const file = (path = "") => shellWord(path);
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
    `curl --cacert ${file(document.ca)} --cert ${file(shown?.certificate)} --key ${file(shown?.key)} \\`,
    `  -H "Authorization: Bearer ${readyApplication.tokens.aisp}" ${resourceBase}/my/accounts`,
    "Restart a member with kill -TERM; it drains, and is started again. Ctrl-C stops everything.",
  ].join("\n");
}

/** Restarts a member that ends, as an orchestrator would. */
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

const { startTopology } = await import("./start-topology.ts");
const { json, ...options } = wanted;
const stores = { ...(database && { database }), ...(redis !== undefined && { redis }) };
const topology = await startTopology({ ...options, ...stores, say }).catch(endWithout);

/**
 * Prints one sentence for an expected error or an unusable folder. Any other error is a fault of ours and is printed with its
 * stack.
 */
function endWithout(error: unknown): never {
  const isExpected =
    [SandboxRefusal, PostgresRefusal].some((kind) => error instanceof kind) ||
    isUnwritable(error) ||
    (error instanceof Error && "syscall" in error && "path" in error);
  const why = isExpected && error instanceof Error ? error.message : inspect(error);
  process.stderr.write(`npm run topology: it could not start: ${why}\n`);
  process.exit(1);
}

let stopping = false;
onInterruption(() => {
  stopping = true;
  void topology.stop().then(() => process.exit(0));
});
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
