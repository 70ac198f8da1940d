import { type PaymentOrder, parseAmount, parseCurrencyCode } from "@cobs/cobs-model";
import { expect } from "chai";
import fc from "fast-check";
import { canonicalize } from "json-canonicalize";
import { bytesOfOrder } from "../../../packages/resource/src/payments/order-bytes.ts";
import { createPaymentId } from "../../../packages/resource/src/payments/payment-ids.ts";
import {
  readStoredAmount,
  readStoredOrder,
  writeStoredAmount,
  writeStoredOrder,
} from "../../../packages/resource/src/payments/stored-order.ts";
import { ABROAD, DOMESTIC, digestOf } from "./sample-payments.ts";

const SEPA: PaymentOrder = {
  ...DOMESTIC,
  type: "sepa",
  priority: "INST",
  chargeBearer: "SLEV",
  endToEndIdentification: "NOTPROVIDED",
  requestedExecutionDate: undefined,
  amount: parseAmount({ value: "99.90", currency: "EUR" }),
  debtorAccount: { ...DOMESTIC.debtorAccount, currency: parseCurrencyCode("EUR") },
  creditor: { name: "Beispiel GmbH", postalAddress: { country: "AT", addressLine: ["Musterweg 1"] } },
  creditorAgent: { bic: "TESTATWW" },
  ultimateDebtor: {
    name: "Karel Novak",
    identification: { privateIdentification: { other: [{ identification: "1245789528", issuer: "OU" }] } },
  },
  ultimateCreditor: { name: "Eva" },
  unstructured: undefined,
  initiatingParty: { name: "TPP" },
};

describe("A stored order", () => {
  for (const order of [DOMESTIC, SEPA, ABROAD]) {
    it(`is read as it was written: ${order.type}`, () => {
      expect(readStoredOrder(writeStoredOrder(order))).to.deep.equal(order);
    });
  }

  it("loses no digit of any amount (A-70)", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 10n ** 20n }), (minor) => {
        const amount = { minor, currency: parseCurrencyCode("CZK") };
        expect(readStoredOrder(writeStoredOrder({ ...DOMESTIC, amount })).amount).to.deep.equal(amount);
        expect(readStoredAmount(writeStoredAmount(amount))).to.deep.equal(amount);
      }),
      { numRuns: 1000 },
    );
  });

  it("gives the same bytes to approve as the order that was entered", () => {
    const id = createPaymentId();
    for (const order of [DOMESTIC, SEPA, ABROAD]) {
      const terms = {
        id,
        executionDate: "2026-08-03",
        fee: parseAmount({ value: "25.00", currency: "CZK" }),
      };
      const again = readStoredOrder(writeStoredOrder(order));
      expect(bytesOfOrder({ ...terms, order: again })).to.deep.equal(bytesOfOrder({ ...terms, order }));
    }
  });

  it("includes its charge, if any, in the bytes that are approved (RTS Article 5)", () => {
    const terms = { id: createPaymentId(), order: DOMESTIC, executionDate: "2026-08-03" };
    const charged = bytesOfOrder({ ...terms, fee: parseAmount({ value: "25.00", currency: "EUR" }) });
    const free = bytesOfOrder({ ...terms, fee: undefined });
    expect(JSON.parse(charged.orderText)).to.deep.equal({
      ...JSON.parse(free.orderText),
      fee: "25.00",
      feeCurrency: "EUR",
    });
    expect(charged.digest).not.to.deep.equal(free.digest);
  });

  it("has canonical bytes, and the digest of these bytes (RFC 8785)", () => {
    const id = createPaymentId();
    const fee = undefined;
    const { orderText, digest } = bytesOfOrder({ id, order: DOMESTIC, executionDate: "2026-08-03", fee });
    expect(orderText).to.match(/^\{"amount":"1500\.50",/);
    expect(Object.keys(JSON.parse(orderText))).to.deep.equal(Object.keys(JSON.parse(orderText)).toSorted());
    expect(digest).to.deep.equal(digestOf(orderText));
  });

  it("has the same bytes as an independent library gives, whatever its texts are (RFC 8785)", () => {
    const id = createPaymentId();
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "grapheme" }), (name, unstructured) => {
        const order = { ...SEPA, creditor: { name }, unstructured };
        const { orderText } = bytesOfOrder({ id, order, executionDate: "2026-08-03", fee: undefined });
        expect(orderText).to.equal(canonicalize(JSON.parse(orderText)));
        expect(Object.values(JSON.parse(orderText))).to.include(name);
      }),
      { numRuns: 1000 },
    );
  });
});
