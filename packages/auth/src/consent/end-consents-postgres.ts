import type { ApplicationId, PsuId, Scope } from "@cobs/cobs-model";
import type { Queries } from "@cobs/service-edge";
import type { ConsentId } from "./consent-id.ts";
import type { EndConsentsOfApplication, Ending } from "./consent-store.ts";

// A consent and everything that hangs on it end in one statement. Expired consents keep their own end.
const end = (condition: string) => `WITH ended AS (
    UPDATE consent SET ended_at = now(), ended_by = $1, end_reason = $2
    WHERE ended_at IS NULL AND valid_until > now() AND ${condition} RETURNING id
  ), gone AS (DELETE FROM token USING ended WHERE token.grant_id = ended.id)
  SELECT id FROM ended`;

const END_ONE = end("id = $3");
const END_EARLIER = end("application_id = $3 AND psu_id = $4");
const END_OF_APPLICATION = end("application_id = $3 AND NOT services <@ $4::text[]");

/** Ends one consent with its codes and tokens; false when it was not active. */
export async function endConsent(queries: Queries, id: ConsentId, ending: Ending): Promise<boolean> {
  const values = [ending.by, ending.reason, id];
  return (await queries.run({ name: "consent-end", text: END_ONE, values })).length > 0;
}

/** Ends what a PSU agreed with an application before, because a newer consent takes its place. */
export async function endEarlierConsents(
  queries: Queries,
  application: ApplicationId,
  psu: PsuId,
): Promise<void> {
  const values = ["psu", "superseded", application, psu];
  await queries.run({ name: "consent-end-earlier", text: END_EARLIER, values });
}

/** Ends the consents of an application that cover a service which it has given up; all of them when none is left. */
export const endConsentsOfApplication: EndConsentsOfApplication = async (queries, application, ending) => {
  const left: readonly Scope[] = application.servicesLeft;
  const values = [ending.by, ending.reason, application.id, left];
  await queries.run({ name: "consent-end-of-application", text: END_OF_APPLICATION, values });
};
