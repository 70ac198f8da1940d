import { parseAccountId, parseCurrencyCode, parseIban, parsePsuId } from "@cobs/cobs-model";
import { expect } from "chai";
import { BankRefusal } from "../../../packages/resource/src/bank/bank-refusal.ts";
import { CoreUnavailable } from "../../../packages/resource/src/bank/core-unavailable.ts";
import {
  type InspectingBank,
  requireOrder,
} from "../../../packages/resource/src/initiation/require-order.ts";
import { changedPayment, NOW, TERMS } from "../../cobs-model/payment/sample-payments.ts";
import { rejectionOf } from "../../support/rejection.ts";

const OF_PSU = { psu: parsePsuId("psu-1"), accounts: [] };
const ACCOUNT = {
  id: parseAccountId("account-1"),
  iban: parseIban("CZ3299000000002000000018"),
  number: null,
  currency: parseCurrencyCode("EUR"),
  servicer: { bankCode: "9900", countryCode: null, bic: null },
  names: null,
  products: null,
};
const WRONG_HEADER = {
  code: "PARAMETER_INVALID",
  path: "TPP-Name",
  message: "TPP-Name is missing; it must name the TPP that makes the request",
} as const;

const FAULTLESS = changedPayment("domestic", "amount.instructedAmount.value", 1);
const FAULTY = changedPayment("domestic", "amount.instructedAmount.value", 0);

const down = () => Promise.reject(new CoreUnavailable("core_timed_out", "no complete answer in time"));

/** Answers with an account in another currency than the order names. */
const BANK: InspectingBank = {
  terms: async () => TERMS,
  accountsOf: async () => [ACCOUNT],
  currenciesOf: async () => [ACCOUNT.currency],
  inspectOrder: async () => ({
    account: ACCOUNT.id,
    fee: undefined,
    faults: [{ code: "AC10", path: "debtorAccount.currency", message: "not kept in it" }],
  }),
};

describe("a fault in the request of an order", () => {
  const refusal = (bank: Partial<InspectingBank>, body: unknown, faults = [] as (typeof WRONG_HEADER)[]) =>
    rejectionOf(requireOrder({ ...BANK, ...bank }, OF_PSU, { body, faults, now: NOW }));

  it("is reported together with those of the account (COBS 1.2.10.1)", async () => {
    expect((await refusal({}, FAULTY, [WRONG_HEADER])).message).to.equal("PARAMETER_INVALID AM12 AC10");
    expect((await refusal({}, FAULTLESS, [WRONG_HEADER])).message).to.equal("PARAMETER_INVALID AC10");
  });

  for (const question of ["accountsOf", "currenciesOf"] as const)
    it(`is reported although the core system does not answer ${question}`, async () => {
      expect(await refusal({ [question]: down }, FAULTY)).to.include({
        name: "ContentRefusal",
        message: "AM12",
      });
    });

  it("is reported with AC02 when the bank takes the account from the PSU meanwhile", async () => {
    const currenciesOf = () => Promise.reject(new BankRefusal("account_unknown"));
    expect((await refusal({ currenciesOf }, FAULTY)).message).to.equal("AM12 AC02");
  });

  it("in the IBAN that pays is its only one: no account is looked for", async () => {
    const body = changedPayment("domestic", "debtorAccount.identification.iban", "CZ00");
    const asked = () => Promise.reject(new Error("asked"));
    expect((await refusal({ accountsOf: asked }, body)).message).to.equal("AC02");
  });

  it("does not hide a failure of ours", async () => {
    const broken = () => Promise.reject(new TypeError("ours"));
    expect(await refusal({ accountsOf: broken }, FAULTY)).to.be.instanceOf(TypeError);
  });

  it("in its headers is reported although the order cannot be inspected", async () => {
    expect(await refusal({ inspectOrder: down }, FAULTLESS, [WRONG_HEADER])).to.include({
      name: "ContentRefusal",
      message: "PARAMETER_INVALID",
    });
  });

  it("remains open while an order without a known one cannot be inspected (503)", async () => {
    for (const question of ["inspectOrder", "terms"] as const)
      expect(await refusal({ [question]: down }, FAULTLESS)).to.be.instanceOf(CoreUnavailable);
  });

  it("is reported without the bank's terms if it does not depend on them", async () => {
    const refused = async (body: unknown, faults = [] as (typeof WRONG_HEADER)[]) =>
      (await refusal({ terms: down }, body, faults)).message;
    expect(await refused(FAULTLESS, [WRONG_HEADER])).to.equal("PARAMETER_INVALID");
    expect(await refused(FAULTY, [WRONG_HEADER])).to.equal("PARAMETER_INVALID AM12");
    expect(await refused({})).to.match(/^(FIELD_MISSING ?)+$/);
    expect(await refused([])).to.equal("FF01");
  });
});
