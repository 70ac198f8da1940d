import {
  createTrouble,
  isDatabaseUnavailable,
  type Log,
  PrivateServiceUnavailable,
} from "@cobs/service-edge";

/** Names in the log what a part of a round was about. */
export type About = Readonly<Record<string, string>>;

/** Notes that a part of a round failed. */
export type NoteFailure = (failure: unknown, about: About) => void;

/** The rounds of a job that asks auth, and how a failed one is handled. */
export interface TellingRounds {
  /**
   * Runs a round whose parts do not hold each other up. At its end, failures that are not logged elsewhere are told, each reason
   * once, with what the first of them was about; and the first one is thrown, so that the round counts as failed.
   */
  gather<T>(round: (noteFailure: NoteFailure) => Promise<T>): Promise<T>;
  /** Logs the error of a failed round unless it is logged already, and gives the pause in milliseconds. */
  fail(error: unknown): number;
}

/** Creates the rounds of a job; `failure` is what the log says of each. */
export function tellUntold(log: Log, failure: string, milliseconds: number): TellingRounds {
  let told: unknown;
  return {
    gather: async (round) => {
      const reasons = createTrouble();
      const untold: { readonly error: unknown; readonly about: About }[] = [];
      const done = await round((error, about) => {
        if (!isUnreachable(error) && reasons.isNews(error)) untold.push({ error, about });
      });
      for (const { error, about } of untold) log.error({ error, ...about }, failure);
      const [first] = untold;
      if (first === undefined) return done;
      told = first.error;
      throw first.error;
    },
    fail: (error) => {
      if (error !== told && !isUnreachable(error)) log.error({ error }, failure);
      return milliseconds;
    },
  };
}

/** Whether auth or the database is unreachable, which is logged elsewhere: all else that is asked would fail as well. */
export function isUnreachable(error: unknown): boolean {
  return error instanceof PrivateServiceUnavailable || isDatabaseUnavailable(error);
}
