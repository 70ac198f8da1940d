import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";

/** Which cores do what: one of the servers that are measured, and those of everything else. */
export interface Cores {
  readonly server: readonly number[];
  readonly others: readonly number[];
  /** What several processes of a server share: half of many, and all of a few. */
  readonly shared: readonly number[];
  /** Whether processes stay on theirs; without `taskset` they do not. */
  readonly pinned: boolean;
}

const FEW = 4;

/** Divides so many cores: the first is for servers, the others for callers and databases; of one, all share it. */
export function divideCores(wanted: number = availableParallelism()): Cores {
  const all = Array.from(
    { length: Math.max(1, Math.min(wanted, availableParallelism())) },
    (_, core) => core,
  );
  const others = all.length === 1 ? all : all.slice(1);
  const shared = all.length < FEW ? all : all.slice(0, all.length / 2);
  return { server: all.slice(0, 1), others, shared, pinned: existsSync("/usr/bin/taskset") };
}

/** Keeps a process, with the threads that it has and those that they start, on some cores. */
export function pin(pid: number, cores: readonly number[], { pinned }: Cores): void {
  if (pinned)
    execFileSync("taskset", ["--all-tasks", "--cpu-list", "--pid", cores.join(","), String(pid)], {
      stdio: "ignore",
    });
}

/**
 * Seconds that a process has had a core, its threads included, as the scheduler counts them. What waits for a core, or
 * for anybody else, does not count: that is why the figure holds on a machine that others use too.
 */
export function processorSeconds(pid: number): number {
  let nanoseconds = 0;
  for (const task of readdirSync(`/proc/${pid}/task`)) {
    const [ran] = readFileSync(`/proc/${pid}/task/${task}/schedstat`, "utf8").split(" ");
    nanoseconds += Number(ran);
  }
  return nanoseconds / 1e9;
}
