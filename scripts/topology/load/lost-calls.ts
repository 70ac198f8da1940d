import type { EndedCall } from "./record-calls.ts";

/** A process that was told to end, in milliseconds of the clock of the calls. */
export interface EndedProcess {
  readonly member: string;
  /** Such as a commit; every process has one. */
  readonly release: string;
  readonly signalledAt: number;
  readonly endedAt: number;
}

/**
 * The process that was ending while a call failed: members are restarted one after the other, so that there is one at most.
 * Whoever answered for it is not asked: a call that resource could not admit because auth went away was lost by auth.
 */
export function whoLost(call: EndedCall, ended: readonly EndedProcess[]): EndedProcess | undefined {
  return ended.find(({ signalledAt, endedAt }) => call.startedAt < endedAt && call.endedAt > signalledAt);
}

/** How many calls were lost at the ends of processes, by their release, and how many failed while none was ending. */
export function presentLosses(failed: readonly EndedCall[], ended: readonly EndedProcess[]): string {
  const losers = failed.map((call) => whoLost(call, ended)?.release);
  const count = (release: string | undefined) => losers.filter((loser) => loser === release).length;
  const releases = [...new Set(ended.map(({ release }) => release))];
  const counts = releases.map((release) => `${count(release)} by processes of ${release} at their end`);
  return `lost ${[...counts, `${count(undefined)} at no end`].join(", ")}`;
}
