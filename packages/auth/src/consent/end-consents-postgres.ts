import type { ApplicationId, PsuId, Scope } from "@cobs/cobs-model";
import type { Queries, Statement } from "@cobs/service-edge";
import type { Act } from "../audit/act.ts";
import { appendAudit } from "../audit/append-audit-postgres.ts";
import type { FeedEvent } from "../feed/feed-event.ts";
import { endSignings } from "../signing/end-signings-postgres.ts";
import type { ConsentTerms } from "./consent.ts";
import type { ConsentId } from "./consent-id.ts";
import { IS_ACTIVE } from "./consent-row.ts";
import type { EndConsentsOfApplication, Ending } from "./consent-store.ts";
import { endingOf, endPaymentsOf, tellEnded } from "./end-payments-postgres.ts";
import { type EndedConsent, recordEnded } from "./record-consents.ts";

// A consent and everything that hangs on it end in one statement. Expired consents keep their own end.
const end = (condition: string) => `WITH ended AS (
    UPDATE consent SET ended_at = now(), ended_by = $1, end_reason = $2
    WHERE ${IS_ACTIVE} AND ${condition}
    RETURNING id, application_id, psu_id, organisation_identifier, services
  ), gone AS (DELETE FROM token USING ended WHERE token.grant_id = ended.id)
  SELECT id, application_id, psu_id, organisation_identifier, services FROM ended`;

const END_ONE = end("id = $3");
const END_EARLIER = end("application_id = $3 AND psu_id = $4");
const END_OF_PSU = end("psu_id = $3");
const END_OF_APPLICATION = end("id = ANY ($3::text[]) AND NOT services <@ $4::text[]");

// In the order of an index, and none is passed again: what has ended in this transaction is still in all of them.
const PAGE_CONSENTS = 500;
const PAGE_OF_APPLICATION = `SELECT id FROM consent WHERE application_id = $1 AND id > $2
  ORDER BY id LIMIT ${PAGE_CONSENTS}`;

function record(queries: Queries, ending: Ending, ended: readonly EndedConsent[]): Promise<void> {
  return appendAudit(
    queries,
    ended.flatMap((each) => recordEnded(ending, each)),
  );
}

/** Ends one consent with its codes and tokens, at the end of a transaction, and tells it; false when it was not active. */
export async function endConsent(queries: Queries, id: ConsentId, ending: Ending): Promise<boolean> {
  const values = [ending.by, ending.reason, id];
  const ended = await queries.run<EndedConsent>({ name: "consent-end", text: END_ONE, values });
  await record(queries, ending, ended);
  await tellEnded(queries, ended, ending.act);
  return ended.length > 0;
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
  const ended = await queries.run<EndedConsent>({ name: "consent-end-earlier", text: END_EARLIER, values });
  await record(queries, { by: "psu", reason: "superseded", act }, ended);
  const endings = services.includes("pisp") ? [] : await endPaymentsOf(queries, ended, act);
  return [...ended.map(endingOf), ...endings];
}

async function* pagesOfApplication(queries: Queries, id: ApplicationId) {
  for (let after: string | undefined = ""; after !== undefined; ) {
    const statement: Statement = {
      name: "consent-page-of-application",
      text: PAGE_OF_APPLICATION,
      values: [id, after],
    };
    const page = (await queries.run<{ readonly id: ConsentId }>(statement)).map((row) => row.id);
    yield page;
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
  for await (const page of pagesOfApplication(queries, application.id)) {
    const values = [ending.by, ending.reason, page, left];
    const statement = { name: "consent-end-of-application", text: END_OF_APPLICATION, values };
    await record(queries, ending, await queries.run<EndedConsent>(statement));
  }
  if (left.includes("pisp")) return;
  await endSignings(queries, { of: "application", applicationId: application.id }, ending.act);
};

/** Ends every consent of a PSU and gives them; one event of the caller's stands for all of them, and it records them. */
export function endConsentsOfPsu(
  queries: Queries,
  psu: PsuId,
  ending: Omit<Ending, "act">,
): Promise<readonly EndedConsent[]> {
  const values = [ending.by, ending.reason, psu];
  return queries.run<EndedConsent>({ name: "consent-end-of-psu", text: END_OF_PSU, values });
}
