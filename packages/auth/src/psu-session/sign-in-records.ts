import type { EphemeralStore } from "../ephemeral/ephemeral-store.ts";
import { createId } from "./cookie.ts";
import type { SignInOfPsu } from "./psu-session.ts";
import type { StayingRecord, Stays } from "./stays.ts";

/**
 * Records that somebody has signed in, under the id of the sign-in. Using the sign-in removes the record: a mark could be lost,
 * and the sign-in would be good again.
 */
export type SignInRecord = StayingRecord;

/** The sign-ins that authorizations and approvals rest on. */
export interface SignInRecords {
  /** Keeps a sign-in, and returns its new id. */
  keep(record: SignInRecord): Promise<string>;
  /** The record of a sign-in that counts: it is the PSU's, was not used, and its stay goes on. */
  findCounting(signIn: SignInOfPsu): Promise<SignInRecord | undefined>;
  /** Uses a sign-in that counts; true for exactly one of any number of callers. */
  use(signIn: SignInOfPsu): Promise<boolean>;
}

/** Longer than an authorization can rest on a sign-in: it waits at most ten minutes for each of its two pages. */
const SIGN_IN_SECONDS = 1800;

/** Keeps sign-ins in the ephemeral store, which may be lost. */
export function createSignInRecords(
  signIns: EphemeralStore<SignInRecord>,
  stays: Pick<Stays, "lasts">,
): SignInRecords {
  const keyOf = (id: string) => ({ kind: "PsuSignIn", id });

  async function find({ psu, id }: SignInOfPsu): Promise<SignInRecord | undefined> {
    const record = await signIns.find(keyOf(id));
    return record?.psu === psu ? record : undefined;
  }

  return {
    async keep(record) {
      const id = createId();
      await signIns.put(keyOf(id), record, { uid: undefined, lifetimeSeconds: SIGN_IN_SECONDS });
      return id;
    },
    async findCounting(signIn) {
      const record = await find(signIn);
      return record !== undefined && (await stays.lasts(record)) ? record : undefined;
    },
    async use(signIn) {
      const record = await find(signIn);
      // Removed first and then judged: a sign-out in between still ends it.
      return record !== undefined && (await signIns.take(keyOf(signIn.id))) && stays.lasts(record);
    },
  };
}
