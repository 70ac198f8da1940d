import type { PsuId } from "@cobs/cobs-model";
import type { Clock, Database } from "@cobs/service-edge";
import type { Act } from "../audit/act.ts";
import { appendAudit } from "../audit/append-audit-postgres.ts";
import type { AuditDetails, AuditEntry } from "../audit/audit-entry.ts";
import type { PsuBlocks } from "./psu-blocks.ts";
import type { PsuLogin, SignInOutcome } from "./psu-login.ts";

/** So many refusals of a minute has each process an entry for; the others are counted in the next one. */
export const RECORDED_REFUSALS_PER_MINUTE = 60;

const MINUTE_MILLISECONDS = 60_000;

/** What sign-ins are recorded with. */
export interface SignInRecordParts {
  readonly database: Database;
  readonly blocks: Pick<PsuBlocks, "admits">;
  readonly clock: Clock;
}

type Refusal = Extract<SignInOutcome, { readonly outcome: "refused" | "blocked" }>["outcome"];

const ACTIONS = { refused: "psu.sign_in_refused", blocked: "psu.sign_in_blocked" } as const;

/** Nobody is proven: whom it was for is known when the login can tell, and what was typed is never recorded. */
function recordRefused(
  refusal: Refusal,
  requestId: string,
  { psu, ...details }: AuditDetails & { readonly psu: PsuId | null },
): AuditEntry {
  const act: Act = { actor: { kind: "server", part: "sign-in" }, requestId };
  return { act, action: ACTIONS[refusal], subject: { kind: "psu", id: psu ?? "unknown" }, details };
}

/** Lets so many through in a minute, and gives each the number of those before it that were not. */
function createBound(clock: Clock) {
  let began = Number.NEGATIVE_INFINITY;
  let taken = 0;
  let missed = 0;
  return async (record: (missedBefore: number) => Promise<void>): Promise<void> => {
    const now = clock.monotonicMilliseconds();
    if (now - began >= MINUTE_MILLISECONDS) [began, taken] = [now, 0];
    if (taken >= RECORDED_REFUSALS_PER_MINUTE) {
      missed += 1;
      return;
    }
    taken += 1;
    const before = missed;
    missed = 0;
    await record(before);
  };
}

/**
 * The same login, whose every outcome is in the audit log before the browser learns of it: who signed in and how, and who
 * was refused or held off. A proof of somebody whom the bank has blocked counts as refused. What cannot be recorded is no
 * sign-in. A flood of refusals cannot fill the log: see {@link RECORDED_REFUSALS_PER_MINUTE}.
 */
export function recordSignIns(login: PsuLogin, { database, blocks, clock }: SignInRecordParts): PsuLogin {
  const bounded = createBound(clock);
  const append = (entry: AuditEntry) => database.transaction((queries) => appendAudit(queries, [entry]));
  const refuse = (refusal: Refusal, psu: PsuId | undefined, requestId: string) =>
    bounded((unrecordedBefore) =>
      append(recordRefused(refusal, requestId, { psu: psu ?? null, unrecordedBefore })),
    );
  return {
    ...login,
    async take(memory, answer, circumstances) {
      const { now, requestId } = circumstances;
      const outcome = await login.take(memory, answer, circumstances);
      if (outcome.outcome === "refused" || outcome.outcome === "blocked") {
        await refuse(outcome.outcome, outcome.psu, requestId);
      }
      if (outcome.outcome !== "signed-in" && outcome.outcome !== "next") return outcome;
      const { psu } = outcome;
      if (psu === undefined) return outcome;
      if (!(await blocks.admits({ psu, authenticatedAt: now }))) {
        await refuse("refused", psu, requestId);
        return { outcome: "refused", psu };
      }
      if (outcome.outcome === "next") return outcome;
      const { methods } = outcome;
      const act: Act = { actor: { kind: "psu", psu }, requestId };
      await append({ act, action: "psu.signed_in", subject: { kind: "psu", id: psu }, details: { methods } });
      return outcome;
    },
  };
}
