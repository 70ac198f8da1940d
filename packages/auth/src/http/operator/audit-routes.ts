import type { PageQuestion, Route } from "@cobs/service-edge";
import type { OperatorAct } from "../../audit/act.ts";
import { KEPT_DAYS } from "../../audit/archive-audit-postgres.ts";
import type { ArchivablePart, ChainPoint } from "../../audit/audit-chain.ts";
import type { AuditCheck, ChainPart } from "../../audit/check-audit-postgres.ts";
import { type AuditExport, MAX_EXPORTED_ENTRIES } from "../../audit/export-audit-postgres.ts";
import { type AuditSearch, type FoundEntries, parseAuditCursor } from "../../audit/search-audit-postgres.ts";
import { parseArchiveOrder } from "../../operator-api/archive-order.ts";
import { OperatorRefusal } from "../../operator-api/operator-refusal.ts";
import { ACTION, HASH, LINE, REQUEST_ID, SEQUENCE, TIME } from "../../operator-api/parameter-kinds.ts";
import { limitUpTo, type ParameterKind, parseQuery, readPage } from "../../operator-api/parse-query.ts";
import type { RecordRead } from "../../operator-api/record-read.ts";
import { given } from "./operator-answers.ts";
import type { OperatorRoute } from "./operator-route.ts";

/** The audit log, for reading and archiving. */
export interface AuditReading {
  search(search: AuditSearch): Promise<FoundEntries>;
  check(known: ChainPoint | undefined, part: ChainPart | undefined): Promise<AuditCheck>;
  export(page: PageQuestion<number>): Promise<AuditExport | undefined>;
  archive(through: ChainPoint, act: OperatorAct): Promise<ChainPoint | undefined>;
  findArchivable(): Promise<ArchivablePart>;
}

/** What the audit routes need. */
export interface AuditOrderParts {
  readonly audit: AuditReading;
  readonly recordRead: RecordRead;
}

const AUDIT = "/operator/audit";
const NOT_ARCHIVABLE = `sequence and hash must belong to one entry that is not archived yet; it and all entries before it must be older than ${KEPT_DAYS} days`;
/** Most entries that one part of a check covers: a few seconds on a busy machine. */
const MAX_CHECKED_ENTRIES = 10_000;
const CHAIN_POINT: ParameterKind<ChainPoint> = {
  read: findChainPoint,
  must: "the `next` of the previous answer",
};
const CURSOR: ParameterKind<NonNullable<AuditSearch["after"]>> = {
  read: parseAuditCursor,
  must: "the `next` of the previous answer",
};

/**
 * Serves `/operator/audit…`: searching, checking that it is unchanged, exporting, and archiving old entries. Searches
 * and exports are recorded.
 */
export function createAuditRoutes(
  route: OperatorRoute,
  { audit, recordRead }: AuditOrderParts,
): readonly Route[] {
  return [
    route("GET", AUDIT, async ({ query }, act) => {
      const asked = parseSearch(query);
      const { entries, next } = await audit.search(asked);
      const subject = { kind: "audit", id: "search" } as const;
      await recordRead(act, {
        subject,
        details: { what: "audit", ...detailsOf(asked), count: entries.length },
      });
      const shown = entries.map(({ sequence, ...entry }) => ({ ...entry, sequence: sequence ?? null }));
      return { status: 200, json: { entries: shown, next: next ?? null } };
    }),
    route("GET", `${AUDIT}/check`, async ({ query }) => {
      const { known, part } = parseCheck(query);
      const { broken, next, ...found } = await audit.check(known, part);
      return {
        status: 200,
        json: { broken: broken ?? null, ...found, next: next ? writeChainPoint(next) : null },
      };
    }),
    route("GET", `${AUDIT}/export`, async ({ query }, act) => {
      const asked = parseQuery(query, (read) => ({
        after: read("after", SEQUENCE),
        limit: read("limit", limitUpTo(MAX_EXPORTED_ENTRIES)) ?? MAX_EXPORTED_ENTRIES,
      }));
      const page = await audit.export(asked);
      if (page === undefined)
        throw new OperatorRefusal("order_malformed", "after must be the number of an existing entry");
      const subject = { kind: "audit", id: "export" } as const;
      const details = { what: "audit", after: asked.after ?? null, count: page.lines.length };
      await recordRead(act, { subject, details });
      return { status: 200, json: page };
    }),
    route("POST", `${AUDIT}/archive`, async ({ body }, act) => {
      const archived = await audit.archive(parseArchiveOrder(body), act);
      if (archived === undefined)
        throw new OperatorRefusal("not_archivable", describeArchivable(await audit.findArchivable()));
      return { status: 200, json: { archived }, facts: { archived: archived.sequence } };
    }),
    route("GET", `${AUDIT}/archivable`, async () => ({ status: 200, json: await audit.findArchivable() })),
  ];
}

function describeArchivable({ after, through }: ArchivablePart): string {
  const which = through > after ? `the last such entry is ${through}` : "there is no such entry";
  return `${NOT_ARCHIVABLE}; ${which}`;
}

function parseSearch(query: URLSearchParams): AuditSearch {
  return parseQuery(query, (read) => ({
    actor: read("actor", LINE),
    subject: read("subject", LINE),
    action: read("action", ACTION),
    requestId: read("request", REQUEST_ID),
    from: read("from", TIME),
    until: read("until", TIME),
    ...readPage(read, CURSOR),
  }));
}

function detailsOf({ after: _, from, until, limit: __, ...filter }: AuditSearch) {
  return given({ ...filter, from: from?.toISOString(), until: until?.toISOString() });
}

/** Parses a point of the chain known from elsewhere, both members or none, and which part to check, all by default. */
function parseCheck(query: URLSearchParams): {
  readonly known: ChainPoint | undefined;
  readonly part: ChainPart | undefined;
} {
  const { sequence, hash, after, limit } = parseQuery(query, (read) => ({
    sequence: read("sequence", SEQUENCE),
    hash: read("hash", HASH),
    after: read("after", CHAIN_POINT),
    limit: read("limit", limitUpTo(MAX_CHECKED_ENTRIES)),
  }));
  if (after !== undefined && limit === undefined)
    throw new OperatorRefusal("order_malformed", "after requires limit");
  const part = limit === undefined ? undefined : { after, limit };
  if (sequence !== undefined && hash !== undefined) return { known: { sequence, hash }, part };
  if (sequence === undefined && hash === undefined) return { known: undefined, part };
  throw new OperatorRefusal("order_malformed", "sequence and hash must be given together");
}

const writeChainPoint = ({ sequence, hash }: ChainPoint) => `${sequence}.${hash}`;

function findChainPoint(text: string): ChainPoint | undefined {
  const [number = "", hash = "", ...more] = text.split(".");
  const sequence = SEQUENCE.read(number);
  return sequence === undefined || HASH.read(hash) === undefined || more.length > 0
    ? undefined
    : { sequence, hash };
}
