/** How a process ended, for people: `exit code 1` or `signal SIGKILL`. */
export type ProcessEnd = string;

/** A process of any kind that we started. */
export interface RunningProcess {
  readonly pid: number;
  /** Resolves when the process has ended, for any reason; never rejects. */
  readonly ended: Promise<ProcessEnd>;
  /** Stops it cleanly, in bounded time, and resolves when it is gone. */
  stop(): Promise<void>;
  /** Ends it at once, without cleaning up. */
  hurry(): void;
}

/** Describes an exit code or a signal. */
export function describeEnd(exitCode: number | null, signal: string | null): ProcessEnd {
  return signal === null ? `exit code ${exitCode}` : `signal ${signal}`;
}
