import { once } from "node:events";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { isRunning } from "../../packages/sandbox/src/processes/process-identity.ts";
import {
  type ReadySandbox,
  readSandboxDocument,
  requireReady,
  type SandboxDocument,
} from "../../packages/sandbox/src/sandbox-folder/sandbox-document.ts";
import { PORT_VARIABLES } from "../../packages/sandbox/src/start/env.ts";
import { runCommandLine } from "../../packages/sandbox/src/tpp/run-command-line.ts";
import { until } from "./eventually.ts";
import { freePort } from "./free-port.ts";
import { type ProgramRun, startProgram } from "./program.ts";
import { redisOfThisRun } from "./redis-of-this-run.ts";
import { makeTemporaryFolder } from "./temporary-folder.ts";

/** A whole sandbox in its own processes, started as by `npm start`, in its own folder and on its own ports. */
export interface TestSandbox {
  readonly directory: string;
  /** Variables that locate it: folder and ports. */
  readonly environment: Readonly<Record<string, string>>;
  /** Milliseconds that the last start took, as the sandbox measured it. */
  readonly milliseconds: number;
  /** The document as it is on disk now; rejects if there is no ready application. */
  document(): Promise<ReadySandbox>;
  /** Kills a process with SIGKILL and resolves when it is gone. */
  kill(name: keyof SandboxDocument["processes"]): Promise<void>;
  /** Waits until a killed process runs again, under another pid, and both services are ready. */
  recovered(name: "auth" | "resource" | "postgres", formerPid: number): Promise<ReadySandbox>;
  /** Ends it as Ctrl-C does, and gives the exit code. */
  halt(): Promise<number | null>;
  /** Starts it again in the same folder, on the same ports. */
  start(): Promise<void>;
  /** Runs the TPP command line on it in this process, because most tests are not about that program's own start. */
  tpp(...commandLine: readonly string[]): Promise<ProgramRun>;
  /** Halts it if it runs, and removes the folder. */
  stop(): Promise<void>;
}

const MAIN = "packages/sandbox/src/start/main.ts";

/** Prepares the folder or ports of a sandbox before its start. */
export type BeforeStart = (environment: Readonly<Record<string, string>>) => Promise<void>;

/** Starts a sandbox, after `before` has run with its environment; callers stop it in `after`. */
export async function startSandbox(
  more: Readonly<Record<string, string>> = {},
  before: BeforeStart = async () => undefined,
): Promise<TestSandbox> {
  const parent = makeTemporaryFolder("sandbox-test-");
  const directory = join(parent, "sandbox");
  const environment = {
    ...(await freePorts()),
    ...(await redisOfThisRun()),
    SANDBOX_DIRECTORY: directory,
    ...more,
  };
  await before(environment);
  let running = startProgram(MAIN, ["--json"], environment);
  let milliseconds = 0;

  async function becomeReady(): Promise<void> {
    const ready: unknown = JSON.parse(await running.says("stdout", /^.+(?=\n)/));
    if (typeof ready === "object" && ready !== null && "milliseconds" in ready)
      milliseconds = Number(ready.milliseconds);
  }

  async function document(): Promise<ReadySandbox> {
    const found = await readSandboxDocument(join(directory, "sandbox.json"));
    if (found === undefined) throw new Error(`no sandbox.json in ${directory}`);
    return requireReady(found);
  }

  async function halt(): Promise<number | null> {
    if (running.child.exitCode !== null || running.child.signalCode !== null) return running.child.exitCode;
    const ended = once(running.child, "exit");
    running.child.kill("SIGTERM");
    await ended;
    return running.child.exitCode;
  }

  try {
    await becomeReady();
  } catch (error) {
    await rm(parent, { recursive: true, force: true });
    throw error;
  }
  return {
    directory,
    environment,
    get milliseconds() {
      return milliseconds;
    },
    document,
    kill: async (name) => {
      const pid = (await document()).processes[name];
      if (pid === null) throw new Error(`no pid of ${name}`);
      process.kill(pid, "SIGKILL");
      await until(() => !isRunning(pid), `${name} is gone`);
    },
    recovered: async (name, formerPid) => {
      await until(async () => (await document()).processes[name] !== formerPid, `${name} runs again`);
      const { auth, resource } = await document();
      for (const base of [auth.operator, resource.operator])
        await until(() => isReady(base), `${base} is ready`);
      return document();
    },
    halt,
    start: async () => {
      running = startProgram(MAIN, ["--json"], environment);
      await becomeReady();
    },
    tpp: (...commandLine) => runTpp(directory, commandLine),
    stop: async () => {
      await halt();
      await rm(parent, { recursive: true, force: true });
    },
  };
}

/** Runs the TPP command line in this process, on the sandbox of a folder. */
export async function runTpp(directory: string, commandLine: readonly string[]): Promise<ProgramRun> {
  const said = { stdout: "", stderr: "" };
  const exitCode = await runCommandLine(commandLine, {
    directory,
    whenInterrupted: () => undefined,
    say: (text) => {
      said.stdout += text;
    },
    complain: (text) => {
      said.stderr += text;
    },
  });
  return { exitCode, ...said };
}

/** A free port for every variable that sets one. */
export async function freePorts(): Promise<Readonly<Record<string, string>>> {
  const ports: [string, string][] = [];
  for (const name of Object.values(PORT_VARIABLES)) ports.push([name, String(await freePort())]);
  return Object.fromEntries(ports);
}

/** Whether a service is ready, according to its operator listener. */
export async function isReady(operator: string): Promise<boolean> {
  const answer = await fetch(`${operator}/readyz`).catch(() => undefined);
  await answer?.body?.cancel();
  return answer?.status === 200;
}
