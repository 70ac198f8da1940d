import type { OrganisationIdentifier } from "@cobs/psd2-certificates";
import type { Database, Statement } from "@cobs/service-edge";
import type { RegisterStore } from "./register-store.ts";

// Waits for a process that is finishing the day. A separate statement, because one that waited itself would not see the findings.
const AWAIT = "SELECT FROM tpp_register_check WHERE day = $1::date FOR UPDATE";

// A finished day can be taken again, because a TPP whose authorisation has ended may show its certificate for the first time
// later.
const TAKE = `INSERT INTO tpp_register_check (day) VALUES ($1::date)
  ON CONFLICT (day) DO UPDATE SET taken_at = now(), finished_at = NULL
  WHERE CASE WHEN tpp_register_check.finished_at IS NULL
    THEN tpp_register_check.taken_at < now() - interval '15 minutes'
    ELSE EXISTS (SELECT FROM tpp WHERE NOT EXISTS (
      SELECT FROM tpp_register_finding AS found WHERE found.organisation_identifier = tpp.organisation_identifier)) END
  RETURNING day`;

const TO_LOOK_UP = `SELECT organisation_identifier FROM tpp WHERE NOT EXISTS (SELECT FROM tpp_register_finding AS found
  WHERE found.organisation_identifier = tpp.organisation_identifier AND found.found_on = $1::date)
  ORDER BY organisation_identifier`;

const WITH_ENTRY = `SELECT organisation_identifier FROM tpp_register_finding
  WHERE finding IN ('authorised', 'withdrawn', 'unclear')`;

const KEEP = `INSERT INTO tpp_register_finding AS kept (organisation_identifier, finding, since, found_on)
  SELECT identifier, finding, $1::date, $1::date FROM unnest($2::text[], $3::text[]) AS found (identifier, finding)
  ON CONFLICT (organisation_identifier) DO UPDATE SET finding = excluded.finding, found_on = excluded.found_on,
    since = CASE WHEN kept.finding = excluded.finding THEN kept.since ELSE excluded.since END`;

const FINISH = "UPDATE tpp_register_check SET finished_at = now() WHERE day = $1::date";

/** Keeps days and findings in PostgreSQL. */
export function createRegisterStore(database: Database): RegisterStore {
  async function readTpps(statement: Statement): Promise<readonly OrganisationIdentifier[]> {
    const rows = await database.run<{ readonly organisation_identifier: OrganisationIdentifier }>(statement);
    return rows.map(({ organisation_identifier }) => organisation_identifier);
  }
  return {
    takeDay: (day) =>
      database.transaction(async (queries) => {
        await queries.run({ name: "tpp-register-await", text: AWAIT, values: [day] });
        return (await queries.run({ name: "tpp-register-take", text: TAKE, values: [day] })).length > 0;
      }),
    tppsToLookUp: (day) => readTpps({ name: "tpp-register-to-look-up", text: TO_LOOK_UP, values: [day] }),
    tppsWithEntry: () => readTpps({ name: "tpp-register-with-entry", text: WITH_ENTRY, values: [] }),
    finishDay: (day, findings) =>
      database.transaction(async (queries) => {
        const values = [day, [...findings.keys()], [...findings.values()]];
        await queries.run({ name: "tpp-register-keep", text: KEEP, values });
        await queries.run({ name: "tpp-register-finish", text: FINISH, values: [day] });
      }),
  };
}
