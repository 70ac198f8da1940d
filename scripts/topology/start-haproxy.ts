import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { spawnWithWatchdog } from "../../packages/sandbox/src/processes/spawn-with-watchdog.ts";
import { closeLog, logTail, openLog } from "../../packages/sandbox/src/start/service-log.ts";
import type { ServiceName } from "../../packages/sandbox/src/start/service-program.ts";
import type { TopologyPorts } from "./topology-ports.ts";

/** Folder of the proxy files that operators get. */
export const PROXIES = resolve(import.meta.dirname, "../../packages/service-edge/proxies");

/** What HAProxy is started with, besides its configuration file. */
export interface HaproxyStart {
  readonly ports: TopologyPorts;
  /** Files from `writeProxyFiles`. */
  readonly files: Readonly<Record<string, string>>;
  readonly logFile: string;
  readonly inherited: Readonly<Record<string, string>>;
}

/** A running proxy. */
export interface RunningHaproxy {
  readonly pid: number;
  stop(): Promise<void>;
}

const LIMIT_MILLISECONDS = 45_000;
const POLL_MILLISECONDS = 25;

/** Starts HAProxy with the file that `docker-compose.yml` mounts, and waits until it accepts connections. */
export async function startHaproxy({
  ports,
  files,
  logFile,
  inherited,
}: HaproxyStart): Promise<RunningHaproxy> {
  const env = { ...inherited, ...files, ...haproxyVariables(ports) };
  const command = ["haproxy", "-db", "-f", join(PROXIES, "haproxy.cfg")];
  const log = openLog(logFile);
  const child = spawnWithWatchdog(
    { command, cwd: PROXIES, env, stdio: ["ignore", log, log] },
    { first: "SIGTERM", last: "SIGKILL", graceSeconds: 2 },
  );
  closeLog(log);
  const ended = once(child, "exit");
  await untilAccepting(child, ports.shown.authMutualTls, logFile);
  return {
    pid: child.pid ?? 0,
    stop: async () => {
      child.kill("SIGTERM");
      await ended;
    },
  };
}

/** Variables of `haproxy.cfg` that give all addresses. */
function haproxyVariables({ shown, members }: TopologyPorts): Readonly<Record<string, string>> {
  const at = (port: number) => `127.0.0.1:${port}`;
  const ofMembers = (service: ServiceName) =>
    members[service].flatMap(({ browser, mutualTls, bank, operator }, index) => {
      const name = `${service.toUpperCase()}_${index + 1}`;
      return [
        [`${name}_API`, at(mutualTls)],
        [`${name}_BANK`, at(bank)],
        [`${name}_OPERATOR_PORT`, String(operator)],
        ...(service === "auth" ? [[`${name}_BROWSER`, at(browser)]] : []),
      ];
    });
  return {
    SCRIPTS: PROXIES,
    API_ADDRESS: at(shown.authMutualTls),
    BROWSER_ADDRESS: at(shown.authBrowser),
    AUTH_BANK_ADDRESS: at(shown.authBank),
    RESOURCE_BANK_ADDRESS: at(shown.resourceBank),
    ...Object.fromEntries([...ofMembers("auth"), ...ofMembers("resource")]),
  };
}

async function untilAccepting(child: ChildProcess, port: number, logFile: string): Promise<void> {
  const until = performance.now() + LIMIT_MILLISECONDS;
  while (!(await accepts(port))) {
    if (child.exitCode !== null || performance.now() > until)
      throw new Error(`HAProxy did not start. The end of ${logFile}:\n${logTail(logFile)}`);
    await delay(POLL_MILLISECONDS);
  }
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolved) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("error", () => resolved(false));
    socket.once("connect", () => {
      socket.destroy();
      resolved(true);
    });
  });
}
