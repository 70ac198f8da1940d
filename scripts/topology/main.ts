/**
 * `npm run topology`: two processes of each service behind HAProxy, for a person to call, to signal and to restart. Ctrl-C
 * stops it. `--directory` keeps it elsewhere than in `.topology`, `--auth-database`, `--resource-database` and `--redis` name
 * servers of one's own, `--json` prints one line once it is ready.
 */
import { parseArgs } from "node:util";
import { readCommandLine } from "../../packages/sandbox/src/processes/read-command-line.ts";
import { startTopology, type Topology } from "./start-topology.ts";

const OPTIONS = {
  options: {
    directory: { type: "string", default: ".topology" },
    processes: { type: "string", default: "2" },
    "auth-database": { type: "string" },
    "resource-database": { type: "string" },
    redis: { type: "string" },
    json: { type: "boolean", default: false },
  },
} as const;

const { values } = readCommandLine("npm run topology", () => parseArgs(OPTIONS));

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

const { "auth-database": auth, "resource-database": resource, redis, directory } = values;
const topology = await startTopology({
  directory,
  processes: Number(values.processes),
  ...(auth !== undefined && resource !== undefined && { database: { auth, resource } }),
  ...(redis !== undefined && { redis }),
  say,
});
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
  values.json
    ? `${JSON.stringify({ ready: true, origins, proxyPid, members, document })}\n`
    : `${presentPlain(topology)}\n`,
);
