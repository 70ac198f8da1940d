import type { Clock } from "../clock.ts";
import type { Database, Statement } from "../database/database-postgres.ts";
import { isDatabaseUnavailable } from "../database/database-unavailable.ts";
import type { Log } from "../log/log.ts";
import type { PresentedCertificate } from "../tls/presented-certificate.ts";
import {
  ISSUERS_OF_REFUSED,
  type IssuerOfRefused,
  type RefusedCertificate,
  type RefusedCertificates,
} from "./refused-certificates.ts";

/** Parts that a store of refused certificates needs. */
export interface RefusedCertificatesParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Log;
  /** Called with the number of refusals that were not kept, of certificates of a known or an unknown issuer. */
  readonly onLost?: (issuer: IssuerOfRefused, count: number) => void;
}

/** The store of one process; stopping it writes the last refusals. */
export type OpenRefusedCertificates = RefusedCertificates & { stop(): Promise<void> };

const WRITE_INTERVAL_MILLISECONDS = 1_000;
/** Also the most of each kind that a process keeps per second, because strangers choose how many refusals there are. */
const MAX_WAITING_OF_A_KIND = 20;
const TRIM_EVERY_WRITES = 60;
const MAX_ROWS_OF_A_KIND = 5_000;
/**
 * Refusal codes that anybody can cause, because no known authority has vouched for the certificate. They have separate room, so
 * that they push out no other.
 */
const CODES_OF_STRANGERS = ["chain_untrusted", "certificate_malformed"];
const NONE = { known: 0, unknown: 0 };
const MAX_AGE_MILLISECONDS = 30 * 86_400_000;
// A certificate beyond 16 kB is refused for its size, which one octet more explains as well as the whole.
const MAX_LEAF_OCTETS = 16_385;
const MAX_INTERMEDIATE_OCTETS = 32_768;

/** Opens the store on the table `refused_certificate`, which each service has; it writes once a second. */
export function createRefusedCertificates(parts: RefusedCertificatesParts): OpenRefusedCertificates {
  const { database, log } = parts;
  let waiting: RefusedCertificate[] = [];
  let lost: Readonly<Record<IssuerOfRefused, number>> = NONE;
  let writes = 0;
  let writing: Promise<void> | undefined;

  async function writeWaiting(): Promise<void> {
    const batch = waiting;
    waiting = [];
    if (batch.length > 0 && !(await isDone(insertStatement(batch)))) for (const each of batch) lose(each);
    if (writes % TRIM_EVERY_WRITES === 0) await isDone(trimStatement(parts.clock.now()));
    writes += 1;
    tellLost();
  }

  async function isDone(statement: Statement): Promise<boolean> {
    try {
      await database.run(statement);
      return true;
    } catch (error) {
      if (!isDatabaseUnavailable(error)) log.error({ error }, "refused certificates could not be stored");
      return false;
    }
  }

  function lose({ code }: RefusedCertificate): void {
    const issuer = issuerOf(code);
    lost = { ...lost, [issuer]: lost[issuer] + 1 };
  }

  function tellLost(): void {
    for (const issuer of ISSUERS_OF_REFUSED) {
      if (lost[issuer] === 0) continue;
      parts.onLost?.(issuer, lost[issuer]);
      log.warn({ lost: lost[issuer], issuer }, "some refused certificates were not stored");
    }
    lost = NONE;
  }

  function write(): Promise<void> {
    writing ??= writeWaiting().finally(() => {
      writing = undefined;
    });
    return writing;
  }

  const timer = setInterval(() => void write(), WRITE_INTERVAL_MILLISECONDS).unref();
  return {
    record: (refused) => {
      const sameKind = waiting.filter(({ code }) => issuerOf(code) === issuerOf(refused.code));
      if (sameKind.length < MAX_WAITING_OF_A_KIND) waiting.push(boundedCopy(refused));
      else lose(refused);
    },
    find: async (requestId) => {
      const rows = await database.run<RefusalRow>({ ...FIND, values: [requestId] });
      return rows.map(refusedCertificateOf);
    },
    stop: async () => {
      clearInterval(timer);
      await writing;
      await write();
    },
  };
}

function issuerOf(code: string): IssuerOfRefused {
  return CODES_OF_STRANGERS.includes(code) ? "unknown" : "known";
}

/** Copies what is kept of a refusal. The leaf comes first when room is short, because it explains most. */
function boundedCopy(refused: RefusedCertificate): RefusedCertificate {
  const { der, intermediates, tlsVerdict } = refused.presented;
  let room = MAX_INTERMEDIATE_OCTETS;
  const kept = intermediates.filter(({ length }) => {
    room -= length;
    return room >= 0;
  });
  const presented = { der: der.subarray(0, MAX_LEAF_OCTETS), intermediates: kept, tlsVerdict };
  return { ...refused, presented };
}

interface RefusalRow {
  readonly request_id: string;
  readonly caller_request_id: string | null;
  readonly refused_at: Date;
  readonly code: string;
  readonly detail: string;
  readonly leaf: Buffer;
  readonly intermediates: readonly Buffer[];
  readonly tls_verdict: string | null;
}

const FIND = {
  name: "refused-certificate-find",
  text: `SELECT request_id, caller_request_id, refused_at, code, detail, leaf, intermediates, tls_verdict
    FROM refused_certificate WHERE request_id = $1 OR caller_request_id = $1
    ORDER BY refused_at DESC, request_id LIMIT 20`,
};

/** Sends octets as base64 in one JSON value, so that a batch of any size is one statement with one plan. */
function insertStatement(batch: readonly RefusedCertificate[]): Statement {
  return {
    name: "refused-certificate-insert",
    text: `INSERT INTO refused_certificate
        (request_id, caller_request_id, refused_at, code, detail, leaf, intermediates, tls_verdict)
      SELECT request_id, caller_request_id, refused_at, code, detail, decode(leaf, 'base64'),
        ARRAY (SELECT decode(one, 'base64') FROM unnest(intermediates) WITH ORDINALITY AS each (one, place)
          ORDER BY place), tls_verdict
      FROM json_to_recordset($1::json) AS batch (request_id text, caller_request_id text,
        refused_at timestamptz, code text, detail text, leaf text, intermediates text[], tls_verdict text)
      ON CONFLICT (request_id) DO NOTHING`,
    values: [JSON.stringify(batch.map(rowOf))],
  };
}

function rowOf(refused: RefusedCertificate) {
  const { der, intermediates, tlsVerdict } = refused.presented;
  return {
    request_id: refused.requestId,
    caller_request_id: refused.callerRequestId ?? null,
    refused_at: refused.at,
    code: refused.code,
    // PostgreSQL stores neither U+0000 nor half a surrogate pair in a text; one would lose the whole batch.
    detail: Buffer.from(refused.detail.replaceAll("\0", "?")).toString(),
    leaf: der.toString("base64"),
    intermediates: intermediates.map((each) => each.toString("base64")),
    tls_verdict: tlsVerdict ?? null,
  };
}

/** Deletes what the table holds beyond its bounds at that moment; any number of processes may do so at once. */
function trimStatement(now: Date): Statement {
  return {
    name: "refused-certificate-trim",
    text: `DELETE FROM refused_certificate WHERE refused_at < $1
      OR ${beyondBound("code = ANY ($3)")} OR ${beyondBound("code <> ALL ($3)")}`,
    values: [new Date(now.getTime() - MAX_AGE_MILLISECONDS), MAX_ROWS_OF_A_KIND, CODES_OF_STRANGERS],
  };
}

const beyondBound = (kind: string) => `(${kind} AND (refused_at, request_id) <= (
  SELECT refused_at, request_id FROM refused_certificate WHERE ${kind}
  ORDER BY refused_at DESC, request_id DESC OFFSET $2 LIMIT 1))`;

function refusedCertificateOf(row: RefusalRow): RefusedCertificate {
  const presented: PresentedCertificate = {
    der: row.leaf,
    intermediates: row.intermediates,
    tlsVerdict: row.tls_verdict ?? undefined,
  };
  return {
    requestId: row.request_id,
    callerRequestId: row.caller_request_id ?? undefined,
    at: row.refused_at,
    code: row.code,
    detail: row.detail,
    presented,
  };
}
