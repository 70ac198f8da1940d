import { type Database, gather, type Queries } from "@cobs/service-edge";
import type { Act } from "../audit/act.ts";
import { appendAuditWhere, auditValues } from "../audit/append-audit-postgres.ts";
import type { AuditEntry } from "../audit/audit-entry.ts";
import type { AuthenticatedPsu, PsuBlocks } from "../psu-block/psu-blocks.ts";
import { blockOutdates } from "../psu-block/psu-blocks-postgres.ts";
import type { PsuLogin, SignedIn } from "./psu-login.ts";
import type { RefusalRecord } from "./record-refusals-postgres.ts";

/** What sign-ins are recorded with. */
export interface SignInRecordParts {
  readonly database: Database;
  readonly blocks: Pick<PsuBlocks, "admits">;
  readonly refusals: Pick<RefusalRecord, "record">;
}

// A blocked PSU is not recorded as signed in: one statement checks and records.
const TELL_ADMITTED = `${appendAuditWhere(
  `NOT EXISTS (SELECT FROM psu_block
    WHERE ${blockOutdates("($1::text[])[nth]", "($2::timestamptz[])[nth]")})`,
  2,
)} RETURNING request_id, subject`;

/** A sign-in with its entry; it counts unless its PSU is blocked. */
interface SignIn extends AuthenticatedPsu {
  readonly entry: AuditEntry;
}

/** The PSU and the request of a recorded sign-in; each request has an id of ours. */
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

function recordSignedIn({ psu, methods }: SignedIn, requestId: string): AuditEntry {
  const act: Act = { actor: { kind: "psu", psu }, requestId };
  return { act, action: "psu.signed_in", subject: { kind: "psu", id: psu }, details: { methods } };
}

/**
 * Wraps a login so that its outcomes are in the audit log before the browser learns of them: who signed in and how, and who was
 * refused or blocked. A proof of somebody whom the bank has blocked counts as refused. A sign-in that cannot be recorded does not
 * happen. A flood of refusals cannot fill the log: see `startRecordingRefusals`.
 */
export function recordSignIns(login: PsuLogin, { database, blocks, refusals }: SignInRecordParts): PsuLogin {
  const enter = gather((signIns: readonly SignIn[]) => tellAdmitted(database, signIns));
  return {
    ...login,
    async take(memory, answer, circumstances) {
      const { now, requestId } = circumstances;
      const outcome = await login.take(memory, answer, circumstances);
      if (outcome.outcome === "refused" || outcome.outcome === "blocked") {
        await refusals.record({ refusal: outcome.outcome, psu: outcome.psu }, requestId);
      }
      if (outcome.outcome !== "signed-in" && outcome.outcome !== "next") return outcome;
      const { psu } = outcome;
      if (psu === undefined) return outcome;
      const admitted =
        outcome.outcome === "next"
          ? await blocks.admits({ psu, authenticatedAt: now })
          : await enter({
              psu,
              authenticatedAt: outcome.authenticatedAt ?? now,
              entry: recordSignedIn(outcome, requestId),
            });
      if (admitted) return outcome;
      await refusals.record({ refusal: "refused", psu }, requestId);
      return { outcome: "refused", psu };
    },
  };
}
