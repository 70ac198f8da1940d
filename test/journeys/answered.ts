/** One answer to a load of calls. */
export interface Answered {
  /** When the call began, in milliseconds: a busy machine may answer late what it admitted in time. */
  readonly begun: number;
  readonly status: number;
}

/** When the last served call began, in milliseconds. */
export function lastServed(answers: readonly Answered[]): number {
  return Math.max(0, ...answers.filter(({ status }) => status === 200).map(({ begun }) => begun));
}
