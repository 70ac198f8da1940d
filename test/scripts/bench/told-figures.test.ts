import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect } from "chai";

const ROOT = resolve(import.meta.dirname, "../../..");

/** What texts call an operation, what the result calls it, and the server there that is ours. */
const OPERATIONS = [
  ["account lists", "list of accounts", "resource"],
  ["balances", "balances of an account", "resource"],
  ["pages of 100 transactions", "page of 100 transactions", "resource"],
  ["payments", "payment entered", "resource"],
  ["refreshed tokens", "refresh of an access token", "auth"],
  ["whole authorizations", "code flow, from authorize to tokens (two pages, eight requests)", "auth"],
] as const;

const read = (file: string) => readFileSync(resolve(ROOT, file), "utf8");

/** The last result: operations in a second of processor time, to two digits. */
function findMeasured(operation: string, server: string): string {
  const [, table = ""] = read("test/results/bench.md").split(`\nPer ${operation};`);
  const [, figure] = new RegExp(`^\\| ${server} +\\| (\\d+) `, "m").exec(table) ?? [];
  return Number(Number(figure).toPrecision(2)).toLocaleString("en");
}

describe("Figures of the last benchmark", () => {
  for (const file of ["README.md", "packages/service-edge/OPERATING.md"])
    it(`are those that ${file} tells`, () => {
      const [told = ""] = /in a second of processor time.*?whole authorizations/is.exec(read(file)) ?? [];
      const measured = OPERATIONS.map(
        ([name, operation, server]) => `${findMeasured(operation, server)} ${name}`,
      );
      const figures = told
        .replace(/\s+/g, " ")
        .match(/\d[\d,]* (?:pages of 100 )?[a-z]+(?: [a-z]+)?(?=,| or|$)/g);
      expect(figures).to.include(measured[0]);
      expect(measured).to.include.members(figures ?? []);
    });
});
