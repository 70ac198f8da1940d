import type { PsuId } from "@cobs/cobs-model";
import { type Clock, type Database, gather, type Queries } from "@cobs/service-edge";
import type { Act } from "../audit/act.ts";
import { appendAudit, appendAuditWhere, auditValues } from "../audit/append-audit-postgres.ts";
import type { AuditDetails, AuditEntry } from "../audit/audit-entry.ts";
import type { AuthenticatedPsu, PsuBlocks } from "./psu-blocks.ts";
import type { PsuLogin, SignedIn, SignInOutcome } from "./psu-login.ts";

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

// Who is blocked is not told to have signed in; both at one moment.
const TELL_ADMITTED = `${appendAuditWhere(
  `NOT EXISTS (SELECT FROM psu_block WHERE psu_id = ($1::text[])[nth]
    AND (released_at IS NULL OR released_at >= ($2::timestamptz[])[nth]))`,
  2,
)} RETURNING request_id, subject`;

/** A sign-in that counts unless its PSU is blocked, with its entry. */
interface SignIn extends AuthenticatedPsu {
  readonly entry: AuditEntry;
}

/** Of whom it was told, and at which call: each call has an id of ours. */
interface ToldSignIn {
  readonly request_id: string;
  readonly subject: string;
}

const nameOfSignIn = (told: ToldSignIn) => `${told.request_id} ${told.subject}`;

async function tellAdmitted(queries: Queries, signIns: readonly SignIn[]): Promise<readonly boolean[]> {
  const values = [
    signIns.map(({ psu }) => psu),
    signIns.map(({ authenticatedAt }) => authenticatedAt),
    ...auditValues(signIns.map(({ entry }) => entry)),
  ];
  const statement = { name: "sign-in-tell-admitted", text: TELL_ADMITTED, values };
  const told = new Set((await queries.run<ToldSignIn>(statement)).map(nameOfSignIn));
  return signIns.map(({ psu, entry: { act } }) =>
    told.has(nameOfSignIn({ request_id: act.requestId ?? "", subject: psu })),
  );
}

/** Nobody is proven: whom it was for is known when the login can tell, and what was typed is never recorded. */
function recordRefused(
  refusal: Refusal,
  requestId: string,
  { psu, ...details }: AuditDetails & { readonly psu: PsuId | null },
): AuditEntry {
  const act: Act = { actor: { kind: "server", part: "sign-in" }, requestId };
  return { act, action: ACTIONS[refusal], subject: { kind: "psu", id: psu ?? "unknown" }, details };
}

function recordSignedIn({ psu, methods }: SignedIn, requestId: string): AuditEntry {
  const act: Act = { actor: { kind: "psu", psu }, requestId };
  return { act, action: "psu.signed_in", subject: { kind: "psu", id: psu }, details: { methods } };
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
  // One statement, which is a transaction.
  const append = gather(async (entries: readonly AuditEntry[]) => {
    await appendAudit(database, entries);
    return entries.map(() => undefined);
  });
  const enter = gather((signIns: readonly SignIn[]) => tellAdmitted(database, signIns));
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
      const admitted =
        outcome.outcome === "next"
          ? await blocks.admits({ psu, authenticatedAt: now })
          : await enter({ psu, authenticatedAt: now, entry: recordSignedIn(outcome, requestId) });
      if (admitted) return outcome;
      await refuse("refused", psu, requestId);
      return { outcome: "refused", psu };
    },
  };
}
