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

// One whose time is over keeps its own end, and that is written here if nobody has: left to the job it would come back when a
// clock that was ahead is set right, although it was ended.
const IN_TIME = "valid_until > now()";
const end = (condition: string) =>
  endConsentsWhere({
    set: `ended_at = least(now(), valid_until), ended_by = CASE WHEN ${IN_TIME} THEN $1 ELSE 'server' END,
      end_reason = CASE WHEN ${IN_TIME} THEN $2 ELSE 'expired' END`,
    where: `ended_at IS NULL AND ${condition}`,
    more: "CASE WHEN end_reason = 'expired' THEN ended_at END AS expired_at",
  });

const END_ONE = end("id = $3");
const END_EARLIER = end("application_id = $3 AND psu_id = $4");
const END_OF_PSU = end("psu_id = $3");
const END_OF_APPLICATION = end(
  "application_id = $3 AND psu_id = ANY ($4::text[]) AND NOT services <@ $5::text[]",
);

// In the order of an index of those that have not ended, and none is passed again: for this transaction they are all in it still.
const PAGE_CONSENTS = 500;
const PAGE_OF_APPLICATION = `SELECT psu_id FROM consent
  WHERE application_id = $1 AND psu_id > $2 AND ended_at IS NULL AND NOT services <@ $3::text[]
  ORDER BY psu_id LIMIT ${PAGE_CONSENTS}`;

/** An application that has lost no service has very many consents looked through for none. */
const LOOK_THROUGH_MILLISECONDS = 60_000;

/** Ends one consent with its codes and tokens, at the end of a transaction, and tells it; false when it was not active. */
export async function endConsent(queries: Queries, id: ConsentId, ending: Ending): Promise<boolean> {
  const values = [ending.by, ending.reason, id];
  const ended = await queries.run<EndedByAct>({ name: "consent-end", text: END_ONE, values });
  await appendAudit(queries, recordEndedByAct(ending, ended));
  await tellEnded(queries, ended, ending.act);
  return ended.some(isEndedByAct);
}

/**
 * Ends the earlier consents of a PSU to an application, because a newer one replaces them; and their orders that wait
 * for approval, if the newer one allows no payments. Returns the events, which the transaction appends last.
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

type LosingApplication = Parameters<EndConsentsOfApplication>[1];

/** Whose consents cover a service that the application has lost, some at a time. */
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
 * Ends the consents of an application that cover a service which it has given up; all of them when none is left. An
 * application may have consents of very many PSUs, and has ended with all of them or with none: one transaction, in
 * statements that each stay far from their limit. The event of the application stands for all of theirs.
 */
export const endConsentsOfApplication: EndConsentsOfApplication = async (queries, application, ending) => {
  const left: readonly Scope[] = application.servicesLeft;
  for await (const psus of psusOf(queries, application)) {
    const values = [ending.by, ending.reason, application.id, psus, left];
    const statement = { name: "consent-end-of-application", text: END_OF_APPLICATION, values };
    const ended = await queries.run<EndedByAct>(statement);
    await appendAudit(queries, recordEndedByAct(ending, ended));
    // Where payments are left, those of the consents that ended for another service end with them.
    if (left.includes("pisp")) await endPaymentsOf(queries, ended, ending.act);
  }
  if (left.includes("pisp")) return;
  await endSignings(queries, { of: "application", applicationId: application.id }, ending.act);
};

/** Ends every consent of a PSU and gives them; one event of the caller's stands for all of them, and it records them. */
export function endConsentsOfPsu(
  queries: Queries,
  psu: PsuId,
  ending: Omit<Ending, "act">,
): Promise<readonly EndedByAct[]> {
  const values = [ending.by, ending.reason, psu];
  return queries.run<EndedByAct>({ name: "consent-end-of-psu", text: END_OF_PSU, values });
}
