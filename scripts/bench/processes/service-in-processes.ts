import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { SERVICE_NODE_OPTIONS } from "@cobs/service-edge";
import { freePort } from "../../../packages/sandbox/src/postgres/free-port.ts";
import { spawnWithWatchdog } from "../../../packages/sandbox/src/processes/spawn-with-watchdog.ts";
import { isReady } from "../../../packages/sandbox/src/start/await-ready.ts";
import { eventually } from "../../../test/support/eventually.ts";
import { environmentBeside } from "../environment-beside.ts";
import { type Cores, pin, processorSeconds } from "../processor.ts";

/** A service that runs in several processes on its own ports, beside that of the bench's bank. */
export interface ServiceInProcesses {
  /** Origin that TPPs call. */
  readonly mutualTls: string;
  /** Seconds of processor time that all its processes have used. */
  processorSeconds(): number;
  stop(): Promise<void>;
}

/** Which service to start, and how. */
export interface ServicePlan {
  readonly name: "auth" | "resource";
  readonly count: number;
  readonly cores: Cores;
  /** Process whose environment it uses, except for the ports. */
  readonly beside: number;
}

const READY_LIMIT_MILLISECONDS = 60_000;
/** A service limits its own drain to three seconds. */
const GRACE_SECONDS = 6;

/** A process and its descendants. */
function family(pid: number): readonly number[] {
  const children = readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, "utf8").trim().split(" ").filter(Boolean).map(Number),
  );
  return [pid, ...children.flatMap(family)];
}

async function untilReady(child: ChildProcess, operatorPort: number): Promise<void> {
  const hasBecomeReady = () => {
    if (child.exitCode !== null)
      throw new Error(`a service ended with ${child.exitCode} before it was ready`);
    return isReady(operatorPort);
  };
  await eventually(hasBecomeReady, READY_LIMIT_MILLISECONDS, "a service was ready");
}

/** Starts it, and waits until all its processes are ready; they end with this process, however it ends. */
export async function startInProcesses({
  name,
  count,
  cores,
  beside,
}: ServicePlan): Promise<ServiceInProcesses> {
  const [mutualTls, bank, operator, browser] = [
    await freePort(),
    await freePort(),
    await freePort(),
    await freePort(),
  ];
  const ports = {
    MUTUAL_TLS_PORT: mutualTls,
    BANK_PORT: bank,
    OPERATOR_PORT: operator,
    BROWSER_PORT: browser,
  };
  const others = Object.fromEntries(
    Object.entries(ports).map(([variable, port]) => [variable, String(port)]),
  );
  const main = fileURLToPath(new URL(`../../../packages/${name}/dist/main.js`, import.meta.url));
  const child = spawnWithWatchdog(
    {
      command: [process.execPath, ...SERVICE_NODE_OPTIONS, main, "--processes", String(count)],
      cwd: process.cwd(),
      env: { ...environmentBeside(beside), ...others },
      stdio: ["ignore", "ignore", "inherit"],
    },
    { first: "SIGTERM", last: "SIGKILL", graceSeconds: GRACE_SECONDS },
  );
  const pid = child.pid ?? 0;
  await untilReady(child, operator);
  for (const each of family(pid)) pin(each, cores.shared, cores);
  return {
    mutualTls: `https://localhost:${mutualTls}`,
    processorSeconds: () => family(pid).reduce((sum, each) => sum + processorSeconds(each), 0),
    stop: async () => {
      if (child.exitCode !== null) return;
      const ended = once(child, "exit");
      child.kill("SIGTERM");
      await ended;
    },
  };
}
