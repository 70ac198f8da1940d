import { createHash } from "node:crypto";
import type { Psd2Role, TppIdentity } from "@cobs/psd2-certificates";
import { type Clock, type Database, gatherLookups, inPlaces, type PlacedRow } from "@cobs/service-edge";
import type { KnownTpp, TppStore } from "./tpp-store.ts";

/** A TPP as a row. */
export interface TppRow {
  readonly organisation_identifier: KnownTpp["organisationIdentifier"];
  readonly organisation_name: string;
  readonly authority_id: string;
  readonly authority_name: string;
  readonly roles: readonly Psd2Role[];
}

/** The columns of a {@link TppRow}. */
export const TPP_COLUMNS = "organisation_identifier, organisation_name, authority_id, authority_name, roles";

// LATERAL with LIMIT 1, so that a plan made while the table was small still uses the index when it has grown.
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
// Writes again after five seconds, because another process may have written what another certificate of the TPP said.
const REMEMBERED_MILLISECONDS = 5_000;

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

/** Creates digests of what certificates say. The verification gives the same object for the same certificate. */
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

/** A statement that is running. */
interface Writing {
  readonly digest: string;
  readonly done: Promise<unknown>;
  /** True when another certificate of the TPP was written meanwhile: nobody knows which came last. */
  isCrossed: boolean;
}

/** Keeps TPPs in PostgreSQL, and in memory a bounded note of what this process wrote in the last seconds. */
export function createTppStore(database: Pick<Database, "run">, clock: Clock): TppStore {
  const digestOf = createDigests();
  const written = new Map<string, Written>();
  const underWay = new Map<string, readonly Writing[]>();

  function begin(identity: TppIdentity, digest: string, others: readonly Writing[]): Writing {
    for (const other of others) other.isCrossed = true;
    const values = valuesOf(identity);
    const done = database.run({ name: "tpp-remember", text: REMEMBER, values });
    return { digest, done, isCrossed: others.length > 0 };
  }

  function end(identifier: string, writing: Writing): void {
    const left = underWay.get(identifier)?.filter((other) => other !== writing) ?? [];
    if (left.length === 0) underWay.delete(identifier);
    else underWay.set(identifier, left);
  }

  function note(identifier: string, { digest, isCrossed }: Writing): void {
    if (isCrossed) return void written.delete(identifier);
    if (written.size >= MAX_REMEMBERED) written.clear();
    const untilMilliseconds = clock.monotonicMilliseconds() + REMEMBERED_MILLISECONDS;
    written.set(identifier, { digest, untilMilliseconds });
  }

  async function write(identity: TppIdentity, digest: string): Promise<void> {
    const { organisationIdentifier: identifier } = identity;
    const others = underWay.get(identifier) ?? [];
    // Concurrent calls wait for one statement.
    const same = others.find((other) => other.digest === digest);
    if (same !== undefined) return void (await same.done);
    const writing = begin(identity, digest, others);
    underWay.set(identifier, [...others, writing]);
    try {
      await writing.done;
      note(identifier, writing);
    } finally {
      end(identifier, writing);
    }
  }

  /** A note may be outdated while another certificate is being written. */
  const isFresh = (identifier: string, digest: string) => {
    const known = underWay.has(identifier) ? undefined : written.get(identifier);
    return known?.digest === digest && known.untilMilliseconds > clock.monotonicMilliseconds();
  };
  return {
    find: gatherLookups(String, async (identifiers: readonly KnownTpp["organisationIdentifier"][]) => {
      const statement = { name: "tpp-find", text: FIND, values: [identifiers] };
      const rows = await database.run<PlacedRow & TppRow>(statement);
      return inPlaces(rows, identifiers.length).map((row) => row && readTpp(row));
    }),
    async remember(identity) {
      const digest = digestOf(identity);
      if (!isFresh(identity.organisationIdentifier, digest)) await write(identity, digest);
    },
  };
}
