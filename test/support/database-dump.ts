import { Client } from "pg";

/** One value of a database, as text; bytes are `\x…`, as in a dump. */
export interface DumpedCell {
  /** Table and column. */
  readonly place: string;
  readonly text: string;
}

interface Column {
  readonly place: string;
  readonly expression: string;
  readonly source: string;
}

const COLUMNS = `SELECT format('%s.%s', table_name, column_name) AS place,
    format('%I::text', column_name) AS expression, format('%I.%I', table_schema, table_name) AS source
  FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
  WHERE table_type = 'BASE TABLE' AND table_schema NOT IN ('pg_catalog', 'information_schema')
  ORDER BY table_schema, table_name, ordinal_position`;

/** Reads every column of every table, as a thief of the database would; tables that are added later are included. */
export async function dumpDatabase(url: string): Promise<readonly DumpedCell[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const cells: DumpedCell[] = [];
    for (const { place, expression, source } of (await client.query<Column>(COLUMNS)).rows) {
      const text = `SELECT DISTINCT ${expression} AS text FROM ${source} WHERE ${expression} IS NOT NULL`;
      const { rows } = await client.query<{ text: string }>(text);
      cells.push(...rows.map((row) => ({ place, text: row.text })));
    }
    return cells;
  } finally {
    await client.end();
  }
}

/**
 * Base64 of bytes depends on their offset modulo 3; returns, for each offset, the characters that depend on these bytes alone.
 */
function base64Forms(bytes: Buffer): readonly string[] {
  return [0, 1, 2].flatMap((shift) => {
    const text = Buffer.concat([Buffer.alloc(shift), bytes]).toString("base64");
    const own = text.slice(shift === 0 ? 0 : shift + 1, Math.floor(((shift + bytes.length) * 8) / 6));
    return [own, own.replaceAll("+", "-").replaceAll("/", "_")];
  });
}

const formsOfBytes = (bytes: Buffer) => {
  const hex = bytes.toString("hex");
  return [hex, hex.toUpperCase(), ...base64Forms(bytes)];
};

/** Every form in which a stored secret would be readable: as it is, hexadecimal, base64. */
export function formsOf(secret: string): readonly string[] {
  const decoded = Buffer.from(secret, "base64url");
  const isDecodable = decoded.length >= 16 && decoded.toString("base64url") === secret;
  const bytes = [Buffer.from(secret), ...(isDecodable ? [decoded] : [])];
  const quoted = [JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)];
  return [...new Set([secret, ...quoted, ...bytes.flatMap(formsOfBytes)])];
}

/** Places of a dump that hold a secret in any of its forms. */
export function placesOf(dump: readonly DumpedCell[], secret: string): readonly string[] {
  const forms = formsOf(secret);
  const holding = dump.filter(({ text }) => forms.some((form) => text.includes(form)));
  return [...new Set(holding.map(({ place }) => place))];
}

const HEX = /\\x([0-9a-f]{32,400})(?![0-9a-f])/g;
const NAME = /[A-Za-z0-9_.:~-]{16,200}/g;

/** Everything in a dump that looks like a token or secret, in the forms in which a thief would present it. */
export function presentableOf(dump: readonly DumpedCell[]): readonly string[] {
  const found = dump.flatMap(({ text }) => {
    const bytes = [...text.matchAll(HEX)].map(([, hex = ""]) => Buffer.from(hex, "hex"));
    const encoded = bytes.flatMap((each) => [each.toString("base64url"), each.toString("hex")]);
    return [...encoded, ...[...text.matchAll(NAME)].map(([name]) => name)];
  });
  return [...new Set(found)];
}
