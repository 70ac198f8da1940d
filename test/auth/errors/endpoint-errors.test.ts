import { readFileSync } from "node:fs";
import { expect } from "chai";
import { BANK_ERRORS } from "./bank-errors.ts";
import { ENDPOINT_ERRORS } from "./endpoint-errors.ts";
import { presentRefusal, presentRow } from "./error-row.ts";
import { type ErrorStage, openErrorStage } from "./error-stage.ts";
import { expectRefusal } from "./expect-refusal.ts";

const DOCUMENT = "packages/auth/ERRORS.md";
const TABLE_HEAD = ["| cause | answer | header |", "| --- | --- | --- |"];

describe("The errors of each endpoint", function endpointErrors() {
  this.timeout(120_000);
  let stage: ErrorStage;
  before(async () => {
    stage = await openErrorStage();
  });
  after(() => stage?.stop());

  it("are exactly the rows of the tables in ERRORS.md, under each endpoint", () => {
    const told = readFileSync(DOCUMENT, "utf8")
      .split("\n")
      .filter((line) => line.startsWith("|") || line.startsWith("## "));
    const tested = ENDPOINT_ERRORS.flatMap(({ endpoint, rows }) => [
      `## ${endpoint}`,
      ...TABLE_HEAD,
      ...rows.map(presentRow),
    ]);
    expect(told.map((line) => line.trim().replace(/ +/g, " "))).to.deep.equal(tested);
  });

  // Those that TPPs may get are called where the interface is held to its description, test/openapi.
  describe(`at ${BANK_ERRORS.endpoint}`, () => {
    for (const row of BANK_ERRORS.rows) {
      it(`${row.cause} (${presentRefusal(row.refusal)})`, async () => {
        expect(row.asks.length).to.be.greaterThan(0);
        for (const ask of row.asks) expectRefusal(await ask(stage), row);
      });
    }
  });
});
