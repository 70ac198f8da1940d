import { createHash } from "node:crypto";
import type { Psd2Role, TppIdentity } from "@cobs/psd2-certificates";
import { type Clock, type Database, gatherLookups, inPlaces, type PlacedRow } from "@cobs/service-edge";
import type { KnownTpp, TppStore } from "./tpp-store.ts";

/** A TPP as PostgreSQL gives it. */
export interface TppRow {
  readonly organisation_identifier: KnownTpp["organisationIdentifier"];
  readonly organisation_name: string;
  readonly authority_id: string;
  readonly authority_name: string;
  readonly roles: readonly Psd2Role[];
}

/** The columns of a {@link TppRow}. */
export const TPP_COLUMNS = "organisation_identifier, organisation_name, authority_id, authority_name, roles";

// Each by itself, so that a plan that was made while the table was small goes by the index when it has grown.
const FIND = `SELECT asked.place::int, ${TPP_COLUMNS}
  FROM unnest($1::text[]) WITH ORDINALITY AS asked (asked_identifier, place)
  CROSS JOIN LATERAL (SELECT ${TPP_COLUMNS} FROM tpp WHERE organisation_identifier = asked_identifier LIMIT 1) AS tpp`;

const REMEMBER = `INSERT INTO tpp (${TPP_COLUMNS})
  VALUES ($1, $2, $3, $4, $5)
  ON CONFLICT (organisation_identifier) DO UPDATE SET organisation_name = excluded.organisation_name,
    authority_id = excluded.authority_id, authority_name = excluded.authority_name, roles = excluded.roles,
    changed_at = now()
  WHERE (tpp.organisation_name, tpp.authority_id, tpp.authority_name, tpp.roles)
    IS DISTINCT FROM (excluded.organisation_name, excluded.authority_id, excluded.authority_name, excluded.roles)`;

const MAX_REMEMBERED = 1_000;
// Another process may have written what another certificate of the TPP said: after five seconds this one writes again.
const REMEMBERED_MILLISECONDS = 5_000;

/** Reads a row. */
export function readTpp(row: TppRow): KnownTpp {
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

/** Of what a certificate says; whoever verifies certificates gives the same object for the same one. */
function createDigests(): (identity: TppIdentity) => string {
  const digests = new WeakMap<TppIdentity, string>();
  return (identity) => {
    const known = digests.get(identity);
    if (known !== undefined) return known;
    const digest = createHash("sha256")
      .update(JSON.stringify(valuesOf(identity)))
      .digest("base64url");
    digests.set(identity, digest);
    return digest;
  };
}

interface Written {
  readonly digest: string;
  readonly untilMilliseconds: number;
}

/** Keeps TPPs in PostgreSQL, and in memory a bounded note of what this process has written in the last seconds. */
export function createTppStore(database: Database, clock: Clock): TppStore {
  const digestOf = createDigests();
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
    find: gatherLookups(String, async (identifiers: readonly KnownTpp["organisationIdentifier"][]) => {
      const statement = { name: "tpp-find", text: FIND, values: [identifiers] };
      const rows = await database.run<PlacedRow & TppRow>(statement);
      return inPlaces(rows, identifiers.length).map((row) => row && readTpp(row));
    }),
    async remember(identity) {
      const digest = digestOf(identity);
      if (isFresh(identity.organisationIdentifier, digest)) return;
      await writeOnce(digest, valuesOf(identity));
      if (written.size >= MAX_REMEMBERED) written.clear();
      const untilMilliseconds = clock.monotonicMilliseconds() + REMEMBERED_MILLISECONDS;
      written.set(identity.organisationIdentifier, { digest, untilMilliseconds });
    },
  };
}
