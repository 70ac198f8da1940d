import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect } from "chai";
import {
  ACCOUNT_LIST,
  BALANCE,
  ORDER_RESOURCES,
  TRANSACTION_LIST,
} from "../../packages/resource/src/http/cobs-resources.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const LISTS = "packages/cobs-model/STANDARD.md";
const FOLDERS = ["packages", "scripts", "test"];
const TEXT = /\.(ts|sql|md|json)$/;
const NOT_OURS = /(^|\/)(node_modules|dist|results)\//;

const AMBIGUITY = /\bA-\d{2}\b/g;
/** Matches one or several clauses after the name of the standard; a lone `2.0` is its version. */
const CITED = /\bCOBS (?:PDF |2\.0,? )?(?!2\.0\b)(\d+(?:\.\d+)+(?:(?:, and |, | and | to )\d+(?:\.\d+)+)*)/g;
/** Clauses that may be cited: chapter 5 has only examples, and chapter 2 is not about the interface. */
const CLAUSE = /^(1\.[2-4]|3\.[1-3]|4\.\d+)(\.\d+)*$/;

const lists = readFileSync(join(ROOT, LISTS), "utf8");

/** First cells of the list's table rows that match `name`. */
function namesListed(name: RegExp): readonly string[] {
  return [...lists.matchAll(/^\| (\S+) \|/gm)].map(([, cell = ""]) => cell).filter((cell) => name.test(cell));
}

/** The text of each of our files, by path. */
function texts(): ReadonlyMap<string, string> {
  const paths = FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" }).map((path) => join(folder, path)),
  );
  const own = paths.filter((path) => TEXT.test(path) && !NOT_OURS.test(path) && path !== LISTS);
  return new Map(own.map((path) => [path, readFileSync(join(ROOT, path), "utf8")]));
}

describe("The citations of the standard", () => {
  const all = texts();

  it("name only clauses that exist", () => {
    const wrong = [...all].flatMap(([path, text]) =>
      [...text.matchAll(CITED)]
        .flatMap(([, clauses = ""]) => clauses.split(/, and |, | and | to /))
        .filter((clause) => !CLAUSE.test(clause))
        .map((clause) => `${path}: COBS ${clause}`),
    );
    expect(wrong).to.deep.equal([]);
  });

  it("name exactly the ambiguities that are listed", () => {
    const cited = new Set([...all.values()].flatMap((text) => text.match(AMBIGUITY) ?? []));
    expect([...cited].sort()).to.deep.equal(namesListed(/^A-/));
  });

  it("list exactly the resources that are served", () => {
    const served = [ACCOUNT_LIST, BALANCE, TRANSACTION_LIST, ...ORDER_RESOURCES];
    const rows = served.map(({ id, method, path }) => {
      const printed = path.replace("/cobs/2.0", "").replace(/:(\w+)/g, "{$1}");
      return `| ${id} | \`${method} ${printed}\` |`;
    });
    expect(namesListed(/^R\d/)).to.have.length(rows.length);
    for (const row of rows) expect(lists).to.include(row);
  });
});
