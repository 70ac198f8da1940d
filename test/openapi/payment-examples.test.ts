import { presentPayment, readBalanceCheck, readPaymentOrder } from "@cobs/cobs-model";
import { expect } from "chai";
import { SANDBOX_TERMS } from "../../packages/resource/src/bank/sandbox-orders/sandbox-terms.ts";
import { faultsBySchema } from "./check-answer.ts";
import { operationOf } from "./interface-document.ts";

const NOW = new Date("2024-05-02T08:00:00.000Z");
const YEARS_LATER = new Date("2034-05-02T08:00:00.000Z");

/** The examples of what an operation is sent, by their names. */
function sentTo(operationId: string) {
  const { examples = {} } = operationOf(operationId).operation.requestBody?.content["application/json"] ?? {};
  expect(examples).to.not.be.empty;
  return Object.entries(examples);
}

/** A body without what one of its texts says, for each of them by its path. */
function emptiedTexts(value: unknown, path = ""): readonly (readonly [path: string, emptied: unknown])[] {
  if (typeof value === "string") return [[path, ""]];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    emptiedTexts(member, `${path}.${name}`).map(([at, emptied]) => {
      const copy = Array.isArray(value) ? value.with(Number(name), emptied) : { ...value, [name]: emptied };
      return [at, copy] as const;
    }),
  );
}

/** The example of what it answers, of the same name. */
function answerOf(operationId: string, name: string): unknown {
  const response = operationOf(operationId).operation.responses[200];
  if (response === undefined || "$ref" in response)
    throw new Error(`${operationId} has no answer of its own`);
  return response.content?.["application/json"]?.examples?.[name]?.value;
}

describe("the examples of payments in the description", () => {
  for (const [name, { summary, value }] of sentTo("enterPayment"))
    it(`are valid orders, answered as shown: ${summary} (COBS chapter 5)`, () => {
      const { order, faults } = readPaymentOrder(value, SANDBOX_TERMS, NOW);
      expect(faults).to.deep.equal([]);
      if (order === undefined) throw new Error("no order was read");
      const shown = answerOf("enterPayment", name);
      const { transactionIdentification: paymentId, signInfo } = JSON.parse(JSON.stringify(shown));
      const told = { paymentId, signInfo, executionDate: "2024-05-06", changed: false } as const;
      expect(presentPayment({ ...told, order, status: "ACTC" })).to.deep.equal(shown);
    });

  it("are valid orders on whatever day they are sent (COBS 3.2.4, DT01)", () => {
    for (const [name, { value }] of sentTo("enterPayment"))
      expect(readPaymentOrder(value, SANDBOX_TERMS, YEARS_LATER).faults, name).to.deep.equal([]);
  });

  // What a type of payment needs beyond that, no schema tells.
  it("are refused with an empty text exactly where their schema refuses it (PDF 1.2.3)", () => {
    const read = {
      enterPayment: (body: unknown) => readPaymentOrder(body, SANDBOX_TERMS, NOW).faults,
      checkBalanceOfPayer: (body: unknown) => readBalanceCheck(body).faults,
    };
    const schemas = { enterPayment: "PaymentOrder", checkBalanceOfPayer: "BalanceCheckQuestion" } as const;
    for (const operationId of ["enterPayment", "checkBalanceOfPayer"] as const)
      for (const [name, { value }] of sentTo(operationId))
        for (const [path, emptied] of emptiedTexts(value).filter(([at]) => !at.includes("endToEnd"))) {
          const told = faultsBySchema(`#/components/schemas/${schemas[operationId]}`, emptied);
          expect(told.length > 0, `${name}${path}`).to.equal(read[operationId](emptied).length > 0);
        }
  });

  it("are refused with an amount of zero, as by their schema (A-76, AM12)", () => {
    for (const [name, { value }] of sentTo("checkBalanceOfPayer")) {
      const nothing = { ...Object(value), transactionDetails: { currency: "CZK", totalAmount: 0 } };
      expect(readBalanceCheck(nothing).faults, name).to.not.be.empty;
      expect(faultsBySchema("#/components/schemas/BalanceCheckQuestion", nothing), name).to.not.be.empty;
    }
  });

  for (const operationId of ["checkBalanceOfPayer", "checkBalanceForCard"])
    for (const [, { summary, value }] of sentTo(operationId))
      it(`are valid questions at ${operationId}: ${summary} (COBS 3.2.3, 3.3.3)`, () => {
        expect(readBalanceCheck(value).faults).to.deep.equal([]);
      });
});
