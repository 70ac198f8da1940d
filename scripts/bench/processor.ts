import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";

/** Which cores do what: those of the measured server, and those of everything else. */
export interface Cores {
  readonly server: readonly number[];
  readonly others: readonly number[];
  /** Cores that several processes of a server share: half of them, or all if there are few. */
  readonly shared: readonly number[];
  /** Whether processes are pinned to their cores, which needs `taskset`. */
  readonly pinned: boolean;
}

const FEW = 4;

/** Divides that many cores: the first for servers, the others for callers and databases. A single core is shared by all. */
export function divideCores(wanted: number = availableParallelism()): Cores {
  const all = Array.from(
    { length: Math.max(1, Math.min(wanted, availableParallelism())) },
    (_, core) => core,
  );
  const others = all.length === 1 ? all : all.slice(1);
  const shared = all.length < FEW ? all : all.slice(0, all.length / 2);
  return { server: all.slice(0, 1), others, shared, pinned: existsSync("/usr/bin/taskset") };
}

/** Pins a process to some cores, with its threads and those that they start. */
export function pin(pid: number, cores: readonly number[], { pinned }: Cores): void {
  if (pinned)
    execFileSync("taskset", ["--all-tasks", "--cpu-list", "--pid", cores.join(","), String(pid)], {
      stdio: "ignore",
    });
}

/**
 * Seconds of processor time that a process and its threads have used, as the scheduler counts them. Waiting, for a core or
 * anything else, does not count, so the figure also holds on a machine that others use.
 */
export function processorSeconds(pid: number): number {
  let nanoseconds = 0;
  for (const task of readdirSync(`/proc/${pid}/task`)) {
    const [ran] = readFileSync(`/proc/${pid}/task/${task}/schedstat`, "utf8").split(" ");
    nanoseconds += Number(ran);
  }
  return nanoseconds / 1e9;
}
