import {
  findFaultsOfAnyBank,
  keepNumber,
  planExecution,
  presentPayment,
  readPaymentOrder,
  writeTextsOfOrder,
} from "@cobs/cobs-model";
import { parseStrictJson, writeJson } from "@cobs/service-edge";
import { expect } from "chai";
import fc from "fast-check";
import { canonicalize } from "json-canonicalize";
import { parseOrder } from "../../../packages/auth/src/signing/order.ts";
import { ROWS } from "./payment-table.ts";
import { changedPayment, NOW, TERMS, TYPES } from "./sample-payments.ts";

const type = fc.constantFrom(...TYPES);
const path = fc.constantFrom(...ROWS.map((row) => row.path));
const text = fc.oneof(
  fc.string({ maxLength: 150 }),
  fc.string({ unit: "grapheme", maxLength: 150 }),
  fc.string({ unit: fc.constantFrom(..."aÁčßø/-?:().,'+ V1S"), maxLength: 150 }),
);
const value = fc.oneof(fc.jsonValue(), text, fc.double(), fc.integer({ min: -10, max: 1e9 }), fc.anything());

/** Requests that are whole but for up to three elements. */
const request = fc.tuple(type, fc.array(fc.tuple(path, value), { maxLength: 3 })).map(([kind, changes]) => {
  const body = changedPayment(kind, "nothing", undefined);
  for (const [place, changed] of changes)
    if (!place.includes(".")) body[place] = changed;
    else Object.assign(body, changedWithin(body, place.split("."), changed));
  return body;
});

/** The object with another value below, where there is a parent for it. */
function changedWithin(body: object, [name = "", ...rest]: readonly string[], changed: unknown): object {
  if (rest.length === 0) return { ...body, [name]: changed };
  const below: unknown = Object.entries(body).find(([each]) => each === name)?.[1];
  return typeof below === "object" && below !== null
    ? { ...body, [name]: changedWithin(below, rest, changed) }
    : body;
}

const CODES =
  /^(FF01|FIELD_MISSING|FIELD_INVALID|AC0[23]|AM1[12]|BE19|DT01|NO_PART|RC07|RC10|REC_SEND|RR03|RR10)$/;

describe("the reading of any payment (COBS 3.2.4)", () => {
  it("yields either an order or faults with the codes of the standard", () => {
    const outcome = (body: unknown) => {
      const { order, faults } = readPaymentOrder(body, TERMS, NOW);
      expect(order === undefined).to.equal(faults.length > 0);
      for (const { code, path: place } of faults) {
        expect(code).to.match(CODES);
        expect(place ?? "").to.match(/^[a-zA-Z0-9_.[\]]*$/);
      }
    };
    fc.assert(fc.property(fc.oneof(fc.jsonValue(), fc.anything()), outcome), { numRuns: 500 });
    fc.assert(fc.property(request, outcome), { numRuns: 700 });
  });

  it("finds no fault without a bank's terms that it would not find with them", () => {
    const iban = fc.constantFrom(
      "CZ6508000000192000145399",
      "CZ7199000000192000000034",
      "CZ33990000000020000000x8",
    );
    const currency = fc.constantFrom("CZK", "EUR", "USD", "XAU");
    const payee = fc.record({ iban, currency, message: fc.oneof(text, fc.constant("Straße")) });
    // Where it goes depends on the code of the bank: to itself, or to another one in Czechia.
    const atHome = fc.tuple(request, payee).map(([body, { iban: number, currency: code, message }]) => ({
      ...body,
      amount: { instructedAmount: { value: 1, currency: code } },
      creditorAccount: { identification: { iban: number } },
      remittanceInformation: { unstructured: message },
    }));
    const PAYEE = "creditorAccount.identification.iban";
    const outcome = (body: unknown) => {
      const told = readPaymentOrder(body, TERMS, NOW).faults.map(({ code, path: place }) =>
        code === "AC03" && place === PAYEE ? `FIELD_INVALID ${place}` : `${code} ${place}`,
      );
      for (const { code, path: place } of findFaultsOfAnyBank(body, NOW))
        expect(told).to.include(`${code} ${place}`);
    };
    fc.assert(fc.property(request, outcome), { numRuns: 700 });
    fc.assert(fc.property(atHome, outcome), { numRuns: 700 });
  });

  it("reports each fault once", () => {
    fc.assert(
      fc.property(request, (body) => {
        const { faults } = readPaymentOrder(body, TERMS, NOW);
        const told = faults.map(({ code, path: place }) => `${code} ${place}`);
        expect(new Set(told).size).to.equal(told.length);
      }),
      { numRuns: 500 },
    );
  });

  it("yields the same order from the echo in the answer (3.2.4.2)", () => {
    const large = type.map((kind) =>
      changedPayment(kind, "amount.instructedAmount.value", 10_000_000_000_000),
    );
    fc.assert(
      fc.property(fc.oneof({ weight: 9, arbitrary: request }, large), (body) => {
        const { order } = readPaymentOrder(body, TERMS, NOW);
        if (order === undefined) return;
        const echo = presentPayment({
          paymentId: "P-1",
          order,
          executionDate: "2024-05-06",
          changed: false,
          status: "ACTC",
          signInfo: { state: "OPEN" },
        });
        // A TPP sends what it was sent: a number may have more digits than a binary one holds.
        const again = readPaymentOrder(parseStrictJson(writeJson(echo), keepNumber), TERMS, NOW);
        expect(again).to.deep.equal({ order: { ...order, initiatingParty: undefined }, faults: [] });
      }),
      { numRuns: 700 },
    );
  });

  it("yields only what auth's page can show (RTS Article 5)", () => {
    fc.assert(
      fc.property(request, (body) => {
        const { order } = readPaymentOrder(body, TERMS, NOW);
        if (order === undefined) return;
        const text = writeTextsOfOrder(order, "P-1", planExecution(order, TERMS, NOW));
        expect(text).to.equal(canonicalize(JSON.parse(text)));
        expect(parseOrder(text).says).to.deep.equal(JSON.parse(text));
      }),
      { numRuns: 700 },
    );
  });
});
