import pg from "pg";

// A promoted server writes the next timeline: if two servers take writes, the one on the lower timeline is the former primary.
const STANDING = `SELECT current_setting('transaction_read_only') = 'on' AS "isReadOnly", CASE WHEN pg_is_in_recovery()
  THEN '' ELSE substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) END AS timeline`;

/** What a server says of itself. */
export interface Standing {
  readonly isReadOnly: boolean;
  /** Eight hexadecimal digits, comparable as text; empty on a standby. */
  readonly timeline: string;
}

/** Asks a server over an open connection. */
export async function askStanding(client: pg.Client): Promise<Standing> {
  const { rows } = await client.query<Standing>(STANDING);
  const [standing] = rows;
  if (standing === undefined) throw new TypeError("a statement without a condition gives a row");
  return standing;
}

/** Asks a server over a connection of its own; rejects when it cannot be asked. */
export async function askHost(config: pg.ClientConfig): Promise<Standing> {
  const client = new pg.Client(config);
  client.on("error", () => undefined);
  try {
    await client.connect();
    return await askStanding(client);
  } finally {
    void client.end().catch(() => undefined);
  }
}

/** Finds the primary among servers by their place: of several that take writes, the one that was promoted last. */
export function findPrimaryAmong(standings: readonly (Standing | undefined)[]): number | undefined {
  let best: { readonly place: number; readonly timeline: string } | undefined;
  for (const [place, standing] of standings.entries()) {
    if (standing === undefined || standing.isReadOnly) continue;
    if (standing.timeline > (best?.timeline ?? "")) best = { place, timeline: standing.timeline };
  }
  return best?.place;
}
