import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { MIGRATIONS_DIRECTORY as AUTH_MIGRATIONS } from "@cobs/auth";
import { MIGRATIONS_DIRECTORY as RESOURCE_MIGRATIONS } from "@cobs/resource";
import { expect } from "chai";
import pg from "pg";
import { createMigratedTestDatabase } from "../support/test-databases.ts";

const UP = /^-- Up Migration$/m;
const DOWN = /^-- Down Migration$/m;
const DROP_BEFORE_MAKING = /^DROP INDEX[\s\S]*^CREATE (?:UNIQUE )?INDEX/m;

const OF_A_LANGUAGE = `SELECT indexrelid::regclass::text AS index FROM pg_index
  CROSS JOIN unnest(indcollation) AS language JOIN pg_collation ON pg_collation.oid = language
  JOIN pg_class ON pg_class.oid = indrelid
  WHERE relnamespace = 'public'::regnamespace AND collname <> 'C'`;

/** The files of a folder whose text is so. */
function filesThat(is: (text: string) => boolean, directory: string): readonly string[] {
  const names = readdirSync(directory).filter((name) => name.endsWith(".sql"));
  return names.filter((name) => is(readFileSync(join(directory, name), "utf8")));
}

describe("Migration files", () => {
  for (const directory of [AUTH_MIGRATIONS, RESOURCE_MIGRATIONS]) {
    const service = directory.split("/").at(-2);

    it(`mark the up migration before the down migration, in ${service}`, () => {
      // Without its mark the way up is the whole file: what it makes is taken away again by the way down.
      const isWrong = (text: string) =>
        text.search(UP) < 0 || (text.search(DOWN) >= 0 && text.search(DOWN) < text.search(UP));
      expect(filesThat(isWrong, directory)).to.deep.equal([]);
    });

    it(`drop no index before making its replacement, so that the table stays readable, in ${service}`, () => {
      const isWrong = (text: string) => DROP_BEFORE_MAKING.test(text.split(DOWN)[0] ?? "");
      expect(filesThat(isWrong, directory)).to.deep.equal([]);
    });

    it(`make no index in a language's collation, which changes with the server's libraries, in ${service}`, async () => {
      const database = new pg.Client({ connectionString: await createMigratedTestDatabase(directory) });
      await database.connect();
      const { rows } = await database.query(OF_A_LANGUAGE).finally(() => database.end());
      expect(rows).to.deep.equal([]);
    });
  }
});
