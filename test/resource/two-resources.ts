import { eventually } from "../support/eventually.ts";
import {
  createDatabaseWithMovableClock,
  type DatabaseWithMovableClock,
} from "../support/movable-database-clock.ts";
import type { RawAnswer } from "../support/raw-https.ts";
import { ACCOUNTS, type TestCall } from "./resource-calls.ts";
import { type RunningResource, runResource } from "./running-resource.ts";

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;

/** A call to one of two processes, by default without the PSU. */
export interface AwayCall extends TestCall {
  readonly consent: string;
  /** Path below `/my/accounts/`. */
  readonly of: string;
  readonly userInvolved?: string | undefined;
}

/** Two resource servers on one database, whose clock moves with theirs. */
export interface TwoResources {
  readonly processes: readonly [RunningResource, RunningResource];
  readonly clock: DatabaseWithMovableClock;
  advance(milliseconds: number): Promise<void>;
  /** Calls the first process, or the second. */
  ask(call: AwayCall, place?: number): Promise<RawAnswer>;
  stop(): Promise<void>;
}

/** Starts both, each with its own authorization server. */
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
      // Each has to hear from auth again, because what it knew of tokens is too old now.
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
