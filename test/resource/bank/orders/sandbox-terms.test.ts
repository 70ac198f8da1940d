import { readFileSync } from "node:fs";
import type { PaymentType } from "@cobs/cobs-model";
import { expect } from "chai";
import { SANDBOX_TERMS } from "../../../../packages/resource/src/bank/sandbox-orders/sandbox-terms.ts";

const README = "packages/resource/README.md";

/** What the README calls each type. */
const NAMES: Readonly<Record<PaymentType, string>> = {
  domestic: "domestic | `DMCT`",
  sepa: "SEPA | `ESCT`",
  "inside-eea": "inside of the EEA | `EXCT`",
  "outside-eea": "outside of the EEA | `NXCT`",
};
const TYPES: readonly PaymentType[] = ["domestic", "sepa", "inside-eea", "outside-eea"];

describe("payment terms of the sandbox bank (COBS 3.2.4)", () => {
  const readme = readFileSync(README, "utf8");

  for (const type of TYPES)
    it(`are as the README states: ${type}`, () => {
      const offered = SANDBOX_TERMS.priorities[type];
      const { NORM, HIGH } = SANDBOX_TERMS.cutOff[type];
      const codes = offered.map((code) => `\`${code}\``).join(", ");
      const cells = [NAMES[type], codes, NORM, offered.includes("HIGH") ? HIGH : ""];
      expect(readme).to.include(`| ${cells.join(" | ").trimEnd()} |`);
    });

  it("are as the README states: currencies, and how far ahead", () => {
    const { currencies, maxDaysAhead } = SANDBOX_TERMS;
    expect(readme).to.include(
      `Its orders are in ${currencies.join(", ")}, and at most ${maxDaysAhead} days ahead.`,
    );
  });
});
