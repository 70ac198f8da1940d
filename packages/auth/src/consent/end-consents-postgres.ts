import type { PsuId, Scope } from "@cobs/cobs-model";
import type { Queries, Statement } from "@cobs/service-edge";
import type { Act } from "../audit/act.ts";
import { appendAudit } from "../audit/append-audit-postgres.ts";
import type { FeedEvent } from "../feed/feed-event.ts";
import { endSignings } from "../signing/end-signings-postgres.ts";
import type { ConsentTerms } from "./consent.ts";
import type { ConsentId } from "./consent-id.ts";
import type { EndConsentsOfApplication, Ending } from "./consent-store.ts";
import { endConsentsWhere } from "./end-consents-where-postgres.ts";
import { endingOf, endPaymentsOf, tellEnded } from "./end-payments-postgres.ts";
import { type EndedByAct, isEndedByAct, recordEndedByAct } from "./record-consents.ts";

// A consent past its time ends as expired, and that is written here if nobody has yet. Left to the expiry job, it
// would become active again once a clock that was ahead is corrected.
const IN_TIME = "valid_until > now()";
const endBy = (by: string, reason: string) => ({
  set: `ended_at = least(now(), valid_until), ended_by = CASE WHEN ${IN_TIME} THEN ${by} ELSE 'server' END,
      end_reason = CASE WHEN ${IN_TIME} THEN ${reason} ELSE 'expired' END`,
  more: "CASE WHEN end_reason = 'expired' THEN ended_at END AS expired_at",
});
const end = (condition: string) =>
  endConsentsWhere({ ...endBy("$1", "$2"), where: `ended_at IS NULL AND ${condition}` });

const END_ONE = end("id = $3");
const END_EARLIER = end("application_id = $3 AND psu_id = $4");
const END_OF_PSU = end("psu_id = $3");
const END_OF_APPLICATION = end(
  "application_id = $3 AND psu_id = ANY ($4::text[]) AND NOT services <@ $5::text[]",
);

// In the order of the index on consents that have not ended. Each page starts after the last one, because this
// transaction still sees the consents it has ended in that index.
const PAGE_CONSENTS = 500;
const PAGE_OF_APPLICATION = `SELECT psu_id FROM consent
  WHERE application_id = $1 AND psu_id > $2 AND ended_at IS NULL AND NOT services <@ $3::text[]
  ORDER BY psu_id LIMIT ${PAGE_CONSENTS}`;

/** Time limit for a page: the statement may look through very many consents and find none to end. */
const LOOK_THROUGH_MILLISECONDS = 60_000;

/**
 * Ends one consent with its codes and tokens, records it and appends the events; false when it was not active. Comes
 * last in its transaction.
 */
export async function endConsent(queries: Queries, id: ConsentId, ending: Ending): Promise<boolean> {
  const values = [ending.by, ending.reason, id];
  const ended = await queries.run<EndedByAct>({ name: "consent-end", text: END_ONE, values });
  await appendAudit(queries, recordEndedByAct(ending, ended));
  await tellEnded(queries, ended, ending.act);
  return ended.some(isEndedByAct);
}

/**
 * Ends the earlier consents of a PSU to an application, which a newer one replaces; and, if the newer one allows no
 * payments, their orders that wait for approval. Returns the events, which the transaction appends last.
 */
export async function endEarlierConsents(
  queries: Queries,
  { applicationId, psu, services }: Pick<ConsentTerms, "applicationId" | "psu" | "services">,
  act: Act,
): Promise<readonly FeedEvent[]> {
  const values = ["psu", "superseded", applicationId, psu];
  const ended = await queries.run<EndedByAct>({ name: "consent-end-earlier", text: END_EARLIER, values });
  await appendAudit(queries, recordEndedByAct({ by: "psu", reason: "superseded", act }, ended));
  const endings = services.includes("pisp") ? [] : await endPaymentsOf(queries, ended, act);
  return [...ended.map(endingOf), ...endings];
}

/** A consent and how it ends. */
export interface ConsentToEnd {
  readonly id: ConsentId;
  readonly ending: Ending;
}

// Each is looked up by its key, whatever the size of the table when the plan was made. The last condition is redundant otherwise. The
// lock is that of the update itself: a stronger one would skip those whose first use is just being recorded. Orders that wait may be
// very many, or held: they would keep the other consents locked.
const END_FREE = endConsentsWhere({
  due: `SELECT found.id AS due_id, due_by, due_reason
    FROM unnest($1::text[], $2::text[], $3::text[]) AS asked (asked_id, due_by, due_reason)
    CROSS JOIN LATERAL (SELECT id FROM consent WHERE id = asked_id AND NOT EXISTS (
        SELECT FROM signing_request AS waiting WHERE waiting.application_id = consent.application_id
          AND waiting.psu_id = consent.psu_id AND state = 'waiting')
      OFFSET 0 FOR NO KEY UPDATE OF consent SKIP LOCKED) AS found`,
  ...endBy("due_by", "due_reason"),
  where: "consent.id = due_id AND ended_at IS NULL AND consent.id = ANY ($1::text[])",
});

/**
 * Ends consents together, each by its own act, except those that another transaction holds or whose PSUs are asked to approve
 * orders: one of them would hold up all. Tells of each whether the act ended it; undefined if it is such a one, unknown or ended
 * already. Comes last in its transaction.
 */
export async function endFreeConsents(
  queries: Queries,
  asked: readonly ConsentToEnd[],
): Promise<readonly (boolean | undefined)[]> {
  const firsts = new Map(asked.toReversed().map((each) => [each.id, each]));
  const endings = [...firsts.values()].map(({ ending }) => ending);
  const values = [[...firsts.keys()], endings.map(({ by }) => by), endings.map(({ reason }) => reason)];
  const ended = await queries.run<EndedByAct>({ name: "consent-end-free", text: END_FREE, values });
  const byPayer = new Map<string, Act>();
  const entries = ended.flatMap((each) => {
    const ending = firsts.get(each.id)?.ending;
    if (ending === undefined) throw new TypeError("a consent has ended that was not named");
    byPayer.set(nameOfPayer(each), ending.act);
    return recordEndedByAct(ending, [each]);
  });
  await appendAudit(queries, entries);
  await tellEnded(queries, ended, (payer) => {
    const act = byPayer.get(nameOfPayer(payer));
    if (act === undefined) throw new TypeError("the order of a payer has ended whose consent has not");
    return act;
  });
  const outcomes = new Map(ended.map((each) => [each.id, isEndedByAct(each)]));
  return asked.map((each) => (firsts.get(each.id) === each ? outcomes.get(each.id) : undefined));
}

const nameOfPayer = (payer: { readonly application_id: string; readonly psu_id: string }) =>
  `${payer.application_id} ${payer.psu_id}`;

type LosingApplication = Parameters<EndConsentsOfApplication>[1];

/** Pages through the PSUs whose consents cover a service that the application has lost. */
async function* psusOf(queries: Queries, { id, servicesLeft }: LosingApplication) {
  for (let after: string | undefined = ""; after !== undefined; ) {
    const statement: Statement = {
      name: "consent-page-of-application",
      text: PAGE_OF_APPLICATION,
      values: [id, after, servicesLeft],
      limitMilliseconds: LOOK_THROUGH_MILLISECONDS,
    };
    const page = (await queries.run<{ readonly psu_id: PsuId }>(statement)).map((row) => row.psu_id);
    if (page.length > 0) yield page;
    after = page[PAGE_CONSENTS - 1];
  }
}

/**
 * Ends the consents of an application that cover a service it has given up; all of them when no service is left. Very
 * many PSUs may have consented, and all these consents end or none, so this is one transaction, in statements that each
 * stay far from their time limit. The application's event stands for the events of its consents.
 */
export const endConsentsOfApplication: EndConsentsOfApplication = async (queries, application, ending) => {
  const left: readonly Scope[] = application.servicesLeft;
  for await (const psus of psusOf(queries, application)) {
    const values = [ending.by, ending.reason, application.id, psus, left];
    const statement = { name: "consent-end-of-application", text: END_OF_APPLICATION, values };
    const ended = await queries.run<EndedByAct>(statement);
    await appendAudit(queries, recordEndedByAct(ending, ended));
    // The application still has payments, so those under consents that ended for another service are ended here.
    if (left.includes("pisp")) await endPaymentsOf(queries, ended, ending.act);
  }
  if (left.includes("pisp")) return;
  await endSignings(queries, { of: "application", applicationId: application.id }, ending.act);
};

/** Ends every consent of a PSU and returns them. The caller records them, and appends one event that stands for all. */
export function endConsentsOfPsu(
  queries: Queries,
  psu: PsuId,
  ending: Omit<Ending, "act">,
): Promise<readonly EndedByAct[]> {
  const values = [ending.by, ending.reason, psu];
  return queries.run<EndedByAct>({ name: "consent-end-of-psu", text: END_OF_PSU, values });
}
