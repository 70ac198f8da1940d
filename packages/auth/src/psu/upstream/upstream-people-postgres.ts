import type { PsuId } from "@cobs/cobs-model";
import type { Database, Statement } from "@cobs/service-edge";
import type { Psu } from "../psu-login.ts";
import type { UpstreamPerson } from "./judge-claims.ts";

/**
 * PSUs as the bank's provider described them at their last sign-in, durable and the same for all processes. A PSU who never
 * signed in is not known. One who has not signed in for longer than any consent lives is forgotten.
 */
export interface UpstreamPeople {
  /** Of concurrent sign-ins the latest counts. */
  remember(person: Pick<UpstreamPerson, "psu" | "displayName">, signedInAt: Date): Promise<void>;
  find(psu: PsuId): Promise<Psu | undefined>;
}

/** Twenty days longer than the longest consent (RTS Article 10a(2)(b)), so that one can look up why it ended. */
const KEPT_DAYS = 200;

const REMEMBER = `
  INSERT INTO upstream_psu (psu_id, display_name, signed_in_at) VALUES ($1, $2, $3)
  ON CONFLICT (psu_id) DO UPDATE SET display_name = excluded.display_name, signed_in_at = excluded.signed_in_at
  WHERE upstream_psu.signed_in_at <= excluded.signed_in_at`;
const FIND = "SELECT display_name FROM upstream_psu WHERE psu_id = $1";

/** Keeps people in PostgreSQL. */
export function createUpstreamPeople(database: Database): UpstreamPeople {
  return {
    remember: async ({ psu, displayName }, signedInAt) => {
      const values = [psu, displayName, signedInAt];
      await database.run({ name: "upstream-psu-remember", text: REMEMBER, values });
    },
    find: async (psu) => {
      const statement = { name: "upstream-psu-find", text: FIND, values: [psu] };
      const [row] = await database.run<{ display_name: string }>(statement);
      return row === undefined ? undefined : { id: psu, displayName: row.display_name };
    },
  };
}

/** Forgets a batch of PSUs whose last sign-in is too long ago. */
export function forgetUpstreamPeople(batchRows: number): Statement {
  return {
    name: "upstream-psu-clean",
    text: `DELETE FROM upstream_psu WHERE psu_id = ANY (ARRAY(
      SELECT psu_id FROM upstream_psu WHERE signed_in_at < now() - interval '${KEPT_DAYS} days'
      ORDER BY signed_in_at LIMIT ${batchRows} FOR UPDATE SKIP LOCKED)) RETURNING psu_id`,
    values: [],
  };
}
