import { makeIban } from "@cobs/cobs-model";
import { expect } from "chai";
import { findNationalForm } from "../../../packages/cobs-model/src/national-iban.ts";
import { findPaymentType } from "../../../packages/cobs-model/src/payment/payment-type.ts";
import { changedPayment, orderOf } from "./sample-payments.ts";

const CREDITOR_IBAN = "creditorAccount.identification.iban";
/** An account of another bank than ours. */
const CZECH = "08000000192000145399";

function anyIbanOf(country: string): string {
  const national = (findNationalForm(country) ?? []).map((kind) => (kind === "n" ? "1" : "A")).join("");
  return makeIban(country, country === "CZ" ? CZECH : national);
}

/** What a foreign payment to such an account, in such a currency, is taken for. */
function typeOf(iban: string, currency: string): string {
  const body = changedPayment("inside-eea", CREDITOR_IBAN, iban);
  Object.assign(Object(body.amount).instructedAmount, { currency });
  Object.assign(body, {
    chargeBearer: undefined,
    paymentIdentification: { instructionIdentification: "1", endToEndIdentification: "NOTPROVIDED" },
    paymentTypeInformation: undefined,
    creditor: { name: "Payee", postalAddress: { country: "DE" } },
  });
  return orderOf(body).type;
}

describe("the type of a payment (COBS 3.2.4, A-60)", () => {
  for (const [iban, currency, type] of [
    ["CZ6508000000192000145399", "CZK", "domestic"],
    ["CZ7199000000192000000034", "CZK", "domestic"],
    ["CZ7199000000192000000034", "EUR", "domestic"],
    ["CZ7199000000192000000034", "USD", "domestic"],
    ["CZ6508000000192000145399", "EUR", "sepa"],
    ["CZ6508000000192000145399", "USD", "inside-eea"],
    ["DE89370400440532013000", "EUR", "sepa"],
    ["DE89370400440532013000", "CZK", "inside-eea"],
    ["CH9300762011623852957", "EUR", "sepa"],
    ["CH9300762011623852957", "USD", "outside-eea"],
    ["GB82WEST12345698765432", "EUR", "sepa"],
    ["GB82WEST12345698765432", "CZK", "outside-eea"],
    ["TR330006100519786457841326", "EUR", "outside-eea"],
    ["NO9386011117947", "USD", "inside-eea"],
  ] as const)
    it(`is ${type} to ${iban} in ${currency}`, () => {
      expect(typeOf(iban, currency)).to.equal(type);
    });

  // The members of the EEA Agreement, and of the SEPA scheme outside of it (EPC409-09).
  const EEA = "AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IS IT LI LT LU LV MT NL NO PL PT RO SE SI SK";
  const SEPA_OUTSIDE = "AD AL CH GB GI MC MD ME MK RS SM VA";

  it("is SEPA in euros to all of SEPA, and inside-eea in another currency to all of the EEA", () => {
    const types = (countries: string, currency: string) =>
      new Set(countries.split(" ").map((country) => typeOf(anyIbanOf(country), currency)));
    expect([...types(EEA, "EUR")]).to.deep.equal(["sepa"]);
    expect([...types(EEA, "USD")]).to.deep.equal(["inside-eea"]);
    expect([...types(SEPA_OUTSIDE, "EUR")]).to.deep.equal(["sepa"]);
    expect([...types(SEPA_OUTSIDE, "USD")]).to.deep.equal(["outside-eea"]);
    expect([...types("AE BR LB TR UA XK", "EUR")]).to.deep.equal(["outside-eea"]);
  });

  for (const [iban, currency, type] of [
    ["CZ6508000000192000145399", "CZK", "domestic"],
    ["CZ6508000000192000145399", "EUR", undefined],
    ["DE89370400440532013000", "EUR", "sepa"],
    ["de89 3704 0044 0532 0130 00", "CZK", "inside-eea"],
    ["TR330006100519786457841326", "EUR", "outside-eea"],
  ] as const)
    it(`is ${type ?? "not known"} to ${iban} in ${currency} if the bank's own code is unknown`, () => {
      const body = changedPayment("sepa", CREDITOR_IBAN, iban);
      Object.assign(Object(body.amount).instructedAmount, { currency });
      expect(findPaymentType(body, undefined)).to.equal(type);
    });

  it("follows the account number if the IBAN is null, which means absent (PDF 1.2.3)", () => {
    expect(orderOf(changedPayment("outside-eea", CREDITOR_IBAN, null)).type).to.equal("outside-eea");
  });

  it("follows the country of the payee's BIC if there is no IBAN", () => {
    const bic = "creditorAgent.financialInstitutionIdentification.bic";
    for (const outside of ["TESTUS33", "TESTXK22"])
      expect(orderOf(changedPayment("outside-eea", bic, outside)).type).to.equal("outside-eea");
    const inside = changedPayment("outside-eea", bic, "TESTDEFF");
    expect(orderOf(inside).type).to.equal("inside-eea");
    expect(orderOf(changedPayment("outside-eea", bic, undefined)).type).to.equal("outside-eea");
  });

  it("does not follow the service level in the request (A-60)", () => {
    const body = changedPayment("domestic", "paymentTypeInformation.serviceLevel", { code: "NXCT" });
    expect(orderOf(body).type).to.equal("domestic");
  });
});
