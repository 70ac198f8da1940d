/**
 * How often a TPP may ask for an account while its PSU is away: four times in 24 hours unless the bank has agreed on more
 * with the TPP (RTS Article 36(5)(b)). This folder owns counting accesses and knowing the running one. `http` reads from the
 * call whether the PSU is there. The list of accounts is not counted.
 */
import type { AccountId } from "@cobs/cobs-model";
import type { TppIdentity } from "@cobs/psd2-certificates";
import type { PsuAdmission } from "../admission/admission.ts";
import { LimitRefusal } from "../limits/limit-refusal.ts";
import type { AccessCounts, AccessSubject, ExhaustedAccesses, RunningAccess } from "./access-counts.ts";
import { type AccessLimits, limitOf } from "./access-limits.ts";
import type { RememberedAccesses } from "./remembered-accesses.ts";

/** A call for an account that its consent covers. */
export interface AccountCall {
  readonly admission: Pick<PsuAdmission, "consentId"> & {
    readonly tpp: Pick<TppIdentity, "organisationIdentifier">;
  };
  readonly account: AccountId;
  readonly resource: "balance" | "transactions";
  /** Whether the PSU is away; a call with the PSU is never counted. */
  readonly unattended: boolean;
}

/** Lets calls through as parts of accesses. */
export interface UnattendedAccesses {
  /**
   * Runs `work`, which asks the bank, as part of an access. An access is every call for one consent, account and resource
   * within fifteen minutes of the first; while it runs, nothing is counted and no store is asked.
   *
   * Refuses with `access_limit` before `work` when no access runs and none may begin. An access begins once the work is done:
   * work that fails, because of the call's faults or because the bank is silent, is not counted. If the last access was taken
   * meanwhile, the count decides, and refuses after `work`.
   *
   * Rejects when the store does not answer; calls with the PSU, and calls of a remembered access, do not need the store.
   */
  within<T>(call: AccountCall, work: () => Promise<T>): Promise<T>;
}

/** Dependencies of this decision. */
export interface UnattendedAccessParts {
  readonly counts: AccessCounts;
  readonly remembered: RememberedAccesses;
  readonly limits: AccessLimits;
}

/** Creates the accesses of one process. */
export function createUnattendedAccesses(parts: UnattendedAccessParts): UnattendedAccesses {
  const { counts, remembered, limits } = parts;

  /** Whether an access runs; refuses when none runs and none may begin. */
  async function runs(subject: AccessSubject, limit: number): Promise<boolean> {
    const known = remembered.find(subject);
    if (known !== undefined) return requireRunning(known);
    const question = remembered.ask(subject);
    const standing = await counts.look(subject, limit);
    if (standing.kind === "open") return false;
    question.keep(standing);
    return requireRunning(standing);
  }

  async function count(subject: AccessSubject, limit: number): Promise<void> {
    const question = remembered.ask(subject);
    const standing = await counts.count(subject, limit);
    question.keep(standing);
    requireRunning(standing);
  }

  return {
    within: async ({ admission, account, resource, unattended }, work) => {
      if (!unattended) return work();
      const subject = { consentId: admission.consentId, account, resource };
      const limit = limitOf(limits, admission.tpp.organisationIdentifier);
      if (await runs(subject, limit)) return work();
      const done = await work();
      await count(subject, limit);
      return done;
    },
  };
}

function requireRunning(standing: RunningAccess | ExhaustedAccesses): true {
  if (standing.kind === "running") return true;
  const { continuesAt, remainingMilliseconds } = standing;
  throw new LimitRefusal("access_limit", continuesAt, remainingMilliseconds);
}
