import { readPaymentOrder } from "@cobs/cobs-model";
import { expect } from "chai";
import { SANDBOX_TERMS } from "../../packages/resource/src/bank/sandbox-orders/sandbox-terms.ts";
import { faultsBySchema } from "./check-answer.ts";
import { DOCUMENT, OPERATIONS, operationOf } from "./interface-document.ts";

const NOW = new Date("2024-05-02T08:00:00.000Z");
const ORDERS = operationOf("enterPayment").operation.requestBody?.content["application/json"]?.examples;
const [DOMESTIC, SEPA] = [Object(ORDERS?.domestic?.value), Object(ORDERS?.sepa?.value)];
const { description } = DOCUMENT.info;

describe("the introduction of the description", () => {
  it("says how each of the hosts answers an unknown path", () => {
    const hosts = new Set(OPERATIONS.flatMap(({ operation }) => operation.servers.map(({ url }) => url)));
    expect(hosts).to.have.length(3);
    expect(description).to.match(
      /unknown path is 404:\s`NOT_FOUND` at accounts [^.]*`invalid_request` at applications [^.]* a page on/,
    );
  });

  it("lists the characters of an identification, in agreement with schema and parser (COBS 3.2.1, A-10)", () => {
    const listed = /digits, spaces and\s`([^`]+)`/.exec(description)?.[1]?.split(" ") ?? [];
    const signs = Array.from({ length: 94 }, (_, place) => String.fromCharCode(33 + place));
    const permitted = signs.filter((sign) => /[A-Za-z0-9]/.test(sign) || listed.includes(sign));
    const permittedIn = (...names: readonly (readonly [id: string, isRight: boolean])[]) => {
      for (const [instructionIdentification, isRight] of names) {
        const order = { ...DOMESTIC, paymentIdentification: { instructionIdentification } };
        const { faults } = readPaymentOrder(order, SANDBOX_TERMS, NOW);
        expect(faults.length === 0, instructionIdentification).to.equal(isRight);
        const told = faultsBySchema("#/components/schemas/PaymentOrder", order);
        expect(told.length === 0, instructionIdentification).to.equal(isRight);
      }
    };
    permittedIn(...signs.map((sign) => [`a${sign}a`, permitted.includes(sign)] as const));
    permittedIn(["a a", true], ["á", false], ["/a", false], ["a/", false], ["a//a", false], ["a/a/a", true]);
  });

  it("says which accents are removed, and that characters are counted afterwards (COBS 3.2.1, A-10)", () => {
    const [, written = "", sent] = /`([^`]+)` becomes `([^`]+)`/.exec(description) ?? [];
    expect(sent).to.be.a("string");
    const { order } = readPaymentOrder({ ...SEPA, creditor: { name: written } }, SANDBOX_TERMS, NOW);
    expect(order?.creditor?.name).to.equal(sent);
    for (const [name, isRight] of [
      ["ß".repeat(35), true],
      ["ß".repeat(36), false],
    ] as const) {
      const { faults } = readPaymentOrder({ ...SEPA, creditor: { name } }, SANDBOX_TERMS, NOW);
      expect(faults.length === 0, name).to.equal(isRight);
    }
    const unstructured = "Příliš žluťoučký kůň";
    const { order: domestic } = readPaymentOrder(
      { ...DOMESTIC, remittanceInformation: { unstructured } },
      SANDBOX_TERMS,
      NOW,
    );
    expect(domestic?.unstructured).to.equal(unstructured);
  });
});
