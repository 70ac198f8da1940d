import {
  CHARGE_BEARERS,
  type ChargeBearer,
  type InstructionPriority,
  type PaymentOrder,
  type PaymentType,
  parseAccountId,
  parseIban,
} from "@cobs/cobs-model";
import { expect } from "chai";
import { planOrder } from "../../../../packages/resource/src/bank/sandbox-orders/plan-order.ts";
import { SANDBOX_TERMS } from "../../../../packages/resource/src/bank/sandbox-orders/sandbox-terms.ts";
import { CZK, orderOf } from "./order-bank.ts";

/** Table: as what a payer reads a payment that the sandbox bank takes, and its charge (COBS 4.3). */
const CODES: readonly [PaymentType, InstructionPriority, payment: string, charge: string][] = [
  ["domestic", "NORM", "10000101000", "40000101000"],
  ["domestic", "HIGH", "10000102000", "40000101000"],
  ["domestic", "INST", "10000101000", "40000101000"],
  ["sepa", "NORM", "10000401000", "40000301000"],
  ["sepa", "HIGH", "10000402000", "40000301000"],
  ["sepa", "INST", "10000401000", "40000301000"],
  ["inside-eea", "NORM", "10000201000", "40000201000"],
  ["inside-eea", "HIGH", "10000201000", "40000201000"],
  ["outside-eea", "NORM", "10000201000", "40000201000"],
];

/** Table: who bears the charges, as a payment says it and as its payer reads it. */
const BEARERS: Readonly<Record<ChargeBearer, string>> = {
  DEBT: "OUR",
  CRED: "BEN",
  SHAR: "SHA",
  SLEV: "SHA",
};

const PAYER_IBAN = parseIban("CZ6508000000192000145399");
const PAYER_ID = parseAccountId("payer");

describe("The transaction that the payer of an order reads", () => {
  /** What is booked on the payer's account: the payment, then its charge. */
  function readBy(changed: Partial<PaymentOrder>) {
    const bookings = planOrder({
      order: { ...orderOf({ payer: { iban: PAYER_IBAN } }), ...changed },
      debtor: {
        id: PAYER_ID,
        iban: PAYER_IBAN,
        bic: "TESTCZPP",
        bankCode: "9900",
        holder: "Jan Plátce",
        isClosed: false,
        isPaymentAccount: true,
        ledgers: [{ id: PAYER_ID, currency: CZK }],
      },
      creditor: undefined,
      paymentId: "payment",
      executionDate: "2026-03-02",
      fee: { minor: 9_900n, currency: CZK },
    });
    return bookings.map(({ debit }) => debit);
  }

  for (const [type, priority, ...codes] of CODES) {
    it(`has the code of its type and priority: ${type}, ${priority} (COBS 4.3)`, () => {
      expect(readBy({ type, priority }).map(({ code }) => code)).to.deep.equal(codes);
    });
  }

  it("has a code for each kind of payment that the bank takes", () => {
    const offered = Object.entries(SANDBOX_TERMS.priorities).flatMap(([type, priorities]) =>
      priorities.map((priority) => `${type} ${priority}`),
    );
    expect(CODES.map(([type, priority]) => `${type} ${priority}`)).to.deep.equal(offered);
  });

  it("names who bears the charges of a payment abroad, shared where nobody was named (A-38)", () => {
    const bearerOf = (type: PaymentType, chargeBearer: ChargeBearer | undefined) =>
      readBy({ type, chargeBearer })[0]?.details?.charges?.bearer;
    for (const type of ["inside-eea", "outside-eea"] as const) {
      for (const named of CHARGE_BEARERS) expect(bearerOf(type, named), named).to.equal(BEARERS[named]);
      expect(bearerOf(type, undefined)).to.equal("SHA");
    }
    expect(bearerOf("sepa", "SLEV")).to.equal(undefined);
    expect(bearerOf("domestic", undefined)).to.equal(undefined);
  });
});
