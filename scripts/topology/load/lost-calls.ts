import type { EndedCall } from "./record-calls.ts";

/** A process that was told to end; times are in milliseconds of the calls' clock. */
export interface EndedProcess {
  readonly member: string;
  /** Release of the process, such as a commit. */
  readonly release: string;
  readonly signalledAt: number;
  readonly endedAt: number;
}

/**
 * The process that was ending while a call failed: there is at most one, because members restart one after the other. It need
 * not have answered the call: if resource could not admit a call because auth went away, auth lost it.
 */
export function whoLost(call: EndedCall, ended: readonly EndedProcess[]): EndedProcess | undefined {
  return ended.find(({ signalledAt, endedAt }) => call.startedAt < endedAt && call.endedAt > signalledAt);
}

/** Says how many calls were lost at the ends of processes, by release, and how many failed while none was ending. */
export function presentLosses(failed: readonly EndedCall[], ended: readonly EndedProcess[]): string {
  const losers = failed.map((call) => whoLost(call, ended)?.release);
  const count = (release: string | undefined) => losers.filter((loser) => loser === release).length;
  const releases = [...new Set(ended.map(({ release }) => release))];
  const counts = releases.map((release) => `${count(release)} by processes of ${release} at their end`);
  return `lost ${[...counts, `${count(undefined)} at no end`].join(", ")}`;
}
