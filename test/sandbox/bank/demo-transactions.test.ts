import {
  ContentRefusal,
  type CurrencyCode,
  familyOf,
  parseTransactionCode,
  presentDecimal,
  requireTransaction,
} from "@cobs/cobs-model";
import type { Booking, Leg, PendingItem } from "@cobs/resource";
import { expect } from "chai";
import { BOOKING_KINDS } from "../../../packages/sandbox/src/bank/booking-kinds.ts";
import { makeDemoBank } from "../../../packages/sandbox/src/bank/demo-bank.ts";

const { bookings, ledger, pending } = makeDemoBank({
  seed: "test",
  asOf: new Date("2026-03-04T09:30:00Z"),
}).content;
const bankOwn = new Set(ledger.flatMap(({ id, overdraftLimit }) => (overdraftLimit === null ? [id] : [])));

function bookedFor(leg: Leg, booking: Booking) {
  const { id, amount, currency, bookedAt, valueDate, isReversal, details } = booking;
  return {
    entryReference: id,
    amount: textOf(amount, currency),
    direction: leg === booking.debit ? "DBIT" : "CRDT",
    isReversal: isReversal === true,
    status: "BOOK",
    bookingDate: /^[23]/.test(leg.code) ? bookedAt.toISOString() : valueDate,
    valueDate,
    code: leg.code,
    details: leg.details ?? details,
  };
}

function announced({ id, amount, currency, code, blockedAt, valueDate, details }: PendingItem) {
  return {
    entryReference: id,
    amount: textOf(amount < 0n ? -amount : amount, currency),
    direction: amount < 0n ? "DBIT" : "CRDT",
    isReversal: false,
    status: "PDNG",
    bookingDate: blockedAt.toISOString(),
    valueDate,
    code,
    details,
  };
}

function textOf(minor: bigint, currency: CurrencyCode) {
  return { value: presentDecimal({ minor, currency }), currency };
}

const told = [
  ...bookings.flatMap((booking) =>
    [booking.debit, booking.credit]
      .filter(({ account }) => !bankOwn.has(account))
      .map((leg) => bookedFor(leg, booking)),
  ),
  ...(pending ?? []).map(announced),
];

/** What is wrong with a transaction, each fault once for its kind. */
function faultsOf(transaction: { readonly code: string }): readonly string[] {
  try {
    requireTransaction(transaction);
    return [];
  } catch (refusal) {
    if (!(refusal instanceof ContentRefusal)) throw refusal;
    return refusal.faults.map(({ code, path }) => `${transaction.code} ${code} ${path}`);
  }
}

describe("Transactions of the demo bank", () => {
  it("have everything that their kind requires and nothing that it forbids (COBS 3.1.5.1)", () => {
    expect([...new Set(told.flatMap(faultsOf))]).to.deep.equal([]);
  });

  it("are of every family: interest, cash and cards, fees, domestic, SEPA and foreign payments", () => {
    const families = new Set(told.map(({ code }) => familyOf(parseTransactionCode(code))));
    expect([...families]).to.have.members(["plain", "fee", "domestic", "sepa", "foreign"]);
  });

  it("name both sides of a payment, but none for fees, interest, cash and cards (A-39)", () => {
    for (const { code, details } of told) {
      const isPayment = !["plain", "fee"].includes(familyOf(parseTransactionCode(code)));
      const { debtorAccount, creditorAccount } = details?.relatedParties ?? {};
      expect([debtorAccount !== undefined, creditorAccount !== undefined], code).to.deep.equal([
        isPayment,
        isPayment,
      ]);
    }
  });

  it("are described in Czech with its diacritics and in English, across borders in plain letters", () => {
    for (const { code, details } of told) {
      const isForeign = ["sepa", "foreign"].includes(familyOf(parseTransactionCode(code)));
      const { additionalTransactionInformation: text, ...passedOn } = details ?? {};
      expect(text, code).to.have.keys("cs", "en");
      if (isForeign) expect(JSON.stringify(passedOn)).to.match(/^[\x20-\x7e]*$/);
    }
  });

  it("are described in Czech without English words, except those used in both languages (COBS 1.2.6)", () => {
    const ofBoth = new Set(["sepa", "sipo", "b2b", "cashback", "treasury"]);
    const wordsOf = (text: string) => text.toLowerCase().split(/[^\p{L}\d]+/u);
    for (const { text } of Object.values(BOOKING_KINDS)) {
      const english = wordsOf(text.en);
      const shared = wordsOf(text.cs).filter((word) => english.includes(word) && !ofBoth.has(word));
      expect(shared, text.cs).to.deep.equal([]);
    }
  });
});
