import { setTimeout as delay } from "node:timers/promises";
import type { Member, Topology } from "./start-topology.ts";

/** How members are restarted, one after the other. */
export interface RollingRestart {
  readonly rounds: number;
  /** Pause between two members, so that each serves calls again first. */
  readonly pauseMilliseconds: number;
  /** Folder of another built tree that the members run from afterwards. */
  readonly root?: string;
}

/** A restart of one member. */
export interface Restarted {
  readonly member: string;
  /** How the signalled process ended. */
  readonly end: string;
  readonly seconds: number;
  /** When it was signalled and when it had ended, in milliseconds of the monotonic clock. */
  readonly signalledAt: number;
  readonly endedAt: number;
}

/** Restarts every member, one at a time, like an operator who upgrades at noon. */
export async function restartAll(
  topology: Topology,
  { rounds, pauseMilliseconds, root }: RollingRestart,
): Promise<readonly Restarted[]> {
  const restarted: Restarted[] = [];
  for (let round = 0; round < rounds; round += 1)
    for (const member of topology.members) {
      const signalledAt = performance.now();
      topology.signal(member, "SIGTERM");
      const end = await topology.ended(member);
      const endedAt = performance.now();
      await topology.start(member, root);
      const seconds = (performance.now() - signalledAt) / 1_000;
      restarted.push({ member: nameOf(member), end, seconds, signalledAt, endedAt });
      await delay(pauseMilliseconds);
    }
  return restarted;
}

/** Name in the proxy, such as `auth-1`. */
export function nameOf({ service, index }: Pick<Member, "service" | "index">): string {
  return `${service}-${index + 1}`;
}
