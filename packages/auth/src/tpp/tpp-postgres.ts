import { createHash } from "node:crypto";
import type { Psd2Role, TppIdentity } from "@cobs/psd2-certificates";
import type { Clock, Database } from "@cobs/service-edge";
import type { KnownTpp, TppStore } from "./tpp-store.ts";

interface TppRow {
  readonly organisation_identifier: KnownTpp["organisationIdentifier"];
  readonly organisation_name: string;
  readonly authority_id: string;
  readonly authority_name: string;
  readonly roles: readonly Psd2Role[];
}

const FIND = `SELECT organisation_identifier, organisation_name, authority_id, authority_name, roles
  FROM tpp WHERE organisation_identifier = $1`;

const REMEMBER = `INSERT INTO tpp (organisation_identifier, organisation_name, authority_id, authority_name, roles)
  VALUES ($1, $2, $3, $4, $5)
  ON CONFLICT (organisation_identifier) DO UPDATE SET organisation_name = excluded.organisation_name,
    authority_id = excluded.authority_id, authority_name = excluded.authority_name, roles = excluded.roles,
    changed_at = now()
  WHERE (tpp.organisation_name, tpp.authority_id, tpp.authority_name, tpp.roles)
    IS DISTINCT FROM (excluded.organisation_name, excluded.authority_id, excluded.authority_name, excluded.roles)`;

const MAX_REMEMBERED = 1_000;
// Another process may have written what another certificate of the TPP said: after five seconds this one writes again.
const REMEMBERED_MILLISECONDS = 5_000;

function presentTpp(row: TppRow): KnownTpp {
  return {
    organisationIdentifier: row.organisation_identifier,
    organisationName: row.organisation_name,
    authority: { id: row.authority_id, name: row.authority_name },
    roles: row.roles,
  };
}

function valuesOf(identity: TppIdentity): readonly unknown[] {
  const { organisationIdentifier, organisationName, authority, roles } = identity;
  return [organisationIdentifier, organisationName, authority.id, authority.name, roles];
}

interface Written {
  readonly digest: string;
  readonly untilMilliseconds: number;
}

/** Keeps TPPs in PostgreSQL, and in memory a bounded note of what this process has written in the last seconds. */
export function createTppStore(database: Database, clock: Clock): TppStore {
  const written = new Map<string, Written>();
  /** Calls of one moment wait for one statement. */
  const writing = new Map<string, Promise<unknown>>();
  const writeOnce = (digest: string, values: readonly unknown[]) => {
    const underWay =
      writing.get(digest) ??
      database.run({ name: "tpp-remember", text: REMEMBER, values }).finally(() => writing.delete(digest));
    writing.set(digest, underWay);
    return underWay;
  };
  const isFresh = (identifier: string, digest: string) => {
    const note = written.get(identifier);
    return note?.digest === digest && note.untilMilliseconds > clock.monotonicMilliseconds();
  };
  return {
    async find(organisationIdentifier) {
      const values = [organisationIdentifier];
      const [row] = await database.run<TppRow>({ name: "tpp-find", text: FIND, values });
      return row === undefined ? undefined : presentTpp(row);
    },
    async remember(identity) {
      const values = valuesOf(identity);
      const digest = createHash("sha256").update(JSON.stringify(values)).digest("base64url");
      if (isFresh(identity.organisationIdentifier, digest)) return;
      await writeOnce(digest, values);
      if (written.size >= MAX_REMEMBERED) written.clear();
      const untilMilliseconds = clock.monotonicMilliseconds() + REMEMBERED_MILLISECONDS;
      written.set(identity.organisationIdentifier, { digest, untilMilliseconds });
    },
  };
}
