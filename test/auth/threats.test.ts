import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect } from "chai";

const ROOT = resolve(import.meta.dirname, "../..");
const TABLE_ROW = /^\| \d+ \|/;
const SHOWN_BY = /\| `(test\/[^`]+)`: (.+) \|$/;
const TITLE = /\bit\(\s*(?:"((?:[^"\\]|\\.)*)"|`([^`]*)`)/g;

const rows = readFileSync(resolve(ROOT, "packages/auth/THREATS.md"), "utf8")
  .split("\n")
  .filter((line) => TABLE_ROW.test(line));

/** The titles of a file's tests; what a title fills in is an ellipsis. */
function titlesOf(file: string): readonly string[] {
  const source = readFileSync(resolve(ROOT, file), "utf8");
  return [...source.matchAll(TITLE)].map(([, text, template]) =>
    (text ?? template ?? "").replace(/\$\{[^}]*\}/g, "…"),
  );
}

describe("The threats to the authorization server", () => {
  it("are numbered from one on", () => {
    expect(rows.length).to.be.greaterThan(40);
    expect(rows.map((row) => Number(row.split(" ")[1]))).to.deep.equal(rows.map((_, index) => index + 1));
  });

  it("each name a test that exists", () => {
    for (const row of rows) {
      const [, file = "", title = ""] = SHOWN_BY.exec(row) ?? [];
      expect(file, row).to.match(/\.(test|tls|browser|proxy|openssl|redis)\.ts$/);
      expect(titlesOf(file), row).to.include(title);
    }
  });
});
