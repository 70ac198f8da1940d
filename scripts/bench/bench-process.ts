import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { SERVICE_NODE_OPTIONS } from "@cobs/service-edge";
import type { Load, Loaded } from "./load/load-order.ts";
import { type Cores, pin } from "./processor.ts";

/** A server that is measured. */
export interface MeasuredServer {
  readonly pid: number;
  readonly port: number;
}

interface Start {
  readonly argument: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
}

/** Baselines and callers of one run; they end with this process. */
export class BenchProcesses {
  readonly #cores: Cores;
  readonly #children: ChildProcess[] = [];

  constructor(cores: Cores) {
    this.#cores = cores;
  }

  /** Starts a baseline from its `tsc` output, on the servers' core. */
  async startBaseline(name: string, settings: object): Promise<MeasuredServer> {
    return this.#start(`baselines/${name}`, { argument: [JSON.stringify(settings)] });
  }

  /** Starts a differently composed service of ours, with its environment. */
  async startService(name: string, environment: Readonly<Record<string, string>>): Promise<MeasuredServer> {
    return this.#start(`servers/${name}`, { argument: [], environment });
  }

  async #start(name: string, how: Start): Promise<MeasuredServer> {
    const module = fileURLToPath(new URL(`dist/${name}.js`, import.meta.url));
    const env = how.environment && { env: { ...how.environment } };
    // Nobody reads their standard output.
    const stdio = ["ignore", "ignore", "inherit", "ipc"] as const;
    const execArgv = how.environment === undefined ? [] : [...SERVICE_NODE_OPTIONS];
    const child = fork(module, how.argument, { execArgv, ...env, stdio: [...stdio] });
    this.#children.push(child);
    const [{ port }] = await Promise.race([once(child, "message"), failure(child, name)]);
    pin(child.pid ?? 0, this.#cores.server, this.#cores);
    return { pid: child.pid ?? 0, port };
  }

  /** Starts the callers' process, on the other cores. */
  startCallers(): (load: Load) => Promise<Loaded> {
    const module = fileURLToPath(new URL("load/callers.ts", import.meta.url));
    const child = fork(module, [], { execArgv: ["--import", "tsx"] });
    this.#children.push(child);
    pin(child.pid ?? 0, this.#cores.others, this.#cores);
    const ended = failure(child, "callers");
    // A failure is reported when somebody awaits it.
    ended.catch(() => undefined);
    return async (load) => {
      child.send(load);
      const [answer] = await Promise.race([once(child, "message"), ended]);
      if ("failed" in answer) throw new Error(answer.failed);
      return answer;
    };
  }

  end(): void {
    for (const child of this.#children) child.kill("SIGKILL");
  }
}

async function failure(child: ChildProcess, name: string): Promise<never> {
  const [code] = await once(child, "exit");
  throw new Error(`${name} ended with ${code}`);
}
