import { eventually } from "../support/eventually.ts";
import {
  createDatabaseWithMovableClock,
  type DatabaseWithMovableClock,
} from "../support/movable-database-clock.ts";
import type { RawAnswer } from "../support/raw-https.ts";
import { ACCOUNTS, type RunningResource, runResource, type TestCall } from "./running-resource.ts";

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;

/** One thing that two processes are asked for without the PSU, unless told otherwise. */
export interface AwayCall extends TestCall {
  readonly consent: string;
  /** Below `/my/accounts/`. */
  readonly of: string;
  readonly userInvolved?: string | undefined;
}

/** Two resource servers on one database, whose clock goes with theirs. */
export interface TwoResources {
  readonly processes: readonly [RunningResource, RunningResource];
  readonly clock: DatabaseWithMovableClock;
  advance(milliseconds: number): Promise<void>;
  /** Calls the first process, or the second. */
  ask(call: AwayCall, place?: number): Promise<RawAnswer>;
  stop(): Promise<void>;
}

/** Starts both, each with an authorization server of its own. */
export async function runTwoResources(changed: Readonly<Record<string, string>> = {}): Promise<TwoResources> {
  const clock = await createDatabaseWithMovableClock();
  const run = () => runResource({ ...changed, DATABASE_URL: clock.url });
  const processes = [await run(), await run()] as const;
  return {
    processes,
    clock,
    advance: async (milliseconds) => {
      for (const process of processes) process.clock.advance(milliseconds);
      await clock.advance(milliseconds);
      // What each knew of tokens is too old now, until it has heard of auth again.
      for (const process of processes)
        await eventually(async () => {
          const token = process.giveToken();
          return (await process.call({ token, path: ACCOUNTS })).status === 200;
        });
    },
    ask: ({ consent, of, userInvolved = "false", ...call }, place = 0) => {
      const process = processes[place % 2 === 0 ? 0 : 1];
      const token = process.giveToken(call.certificate ?? "aisp-pisp", { consent_id: consent });
      const headers = { ...call.headers, ...(userInvolved !== "" && { "user-involved": userInvolved }) };
      return process.call({ token, path: `${ACCOUNTS}/${of}`, ...call, headers });
    },
    stop: async () => {
      for (const process of processes) await process.stop();
    },
  };
}
