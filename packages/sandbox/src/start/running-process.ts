/** How a process ended, for people: `exit code 1` or `signal SIGKILL`. */
export type ProcessEnd = string;

/** A process that we started, whatever it is. */
export interface RunningProcess {
  readonly pid: number;
  /** Resolves when the process has ended, for whatever reason; never rejects. */
  readonly ended: Promise<ProcessEnd>;
  /** Stops it in order, in bounded time, and resolves when it is gone. */
  stop(): Promise<void>;
  /** Ends it without order, for those who cannot wait. */
  hurry(): void;
}

/** Words for an exit code or a signal. */
export function describeEnd(exitCode: number | null, signal: string | null): ProcessEnd {
  return signal === null ? `exit code ${exitCode}` : `signal ${signal}`;
}
