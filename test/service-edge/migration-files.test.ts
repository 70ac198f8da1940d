import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { MIGRATIONS_DIRECTORY as AUTH_MIGRATIONS } from "@cobs/auth";
import { MIGRATIONS_DIRECTORY as RESOURCE_MIGRATIONS } from "@cobs/resource";
import { expect } from "chai";

const UP = /^-- Up Migration$/m;
const DOWN = /^-- Down Migration$/m;

describe("the files of the migrations", () => {
  for (const directory of [AUTH_MIGRATIONS, RESOURCE_MIGRATIONS])
    it(`say where the way up begins before they say where the way down does, in ${directory.split("/").at(-2)}`, () => {
      const wrong = readdirSync(directory)
        .filter((name) => name.endsWith(".sql"))
        .filter((name) => {
          const text = readFileSync(join(directory, name), "utf8");
          // Without its mark the way up is the whole file: what it makes is taken away again by the way down.
          return text.search(UP) < 0 || (text.search(DOWN) >= 0 && text.search(DOWN) < text.search(UP));
        });
      expect(wrong).to.deep.equal([]);
    });
});
