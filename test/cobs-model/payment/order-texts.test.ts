import { type PaymentOrder, parseCurrencyCode, planExecution, writeTextsOfOrder } from "@cobs/cobs-model";
import { expect } from "chai";
import { canonicalize } from "json-canonicalize";
import { parseOrder } from "../../../packages/auth/src/signing/order.ts";
import { ORDER_MEMBERS } from "../../../packages/auth/src/signing/order-members.ts";
import type { ExecutionTerms } from "../../../packages/cobs-model/src/payment/order-texts.ts";
import { changedPayment, NOW, orderOf, TERMS, TYPES, wholePayment } from "./sample-payments.ts";

const PAYMENT_ID = "P-7f3a90c1e5";

/** What a PSU reads of an order. */
function textsOfOrder(order: PaymentOrder, terms: ExecutionTerms): Readonly<Record<string, string>> {
  return JSON.parse(writeTextsOfOrder(order, PAYMENT_ID, terms));
}

/** What a PSU reads of a payment. */
function textsOf(body: unknown): Readonly<Record<string, string>> {
  const order = orderOf(body);
  return textsOfOrder(order, planExecution(order, TERMS, NOW));
}

describe("the texts of an order that a PSU approves (RTS Article 5)", () => {
  for (const type of TYPES)
    it(`are accepted by auth with everything a payment may contain: ${type}`, () => {
      const texts = textsOf(wholePayment(type));
      expect(parseOrder(canonicalize(texts)).says).to.deep.equal(texts);
    });

  it("use every member that auth knows except the purpose, which no payment has, and no other", () => {
    const fee = { minor: 2500n, currency: parseCurrencyCode("CZK") };
    const symbols = changedPayment("outside-eea", "remittanceInformation.unstructured", "/VS/1/KS/2/SS/3");
    const terms = { executionDate: "2024-05-06", fee };
    const payee = changedPayment("domestic", "creditorAccount.currency", "CZK");
    const used = [
      wholePayment("sepa"),
      changedPayment("outside-eea", "nothing", undefined),
      symbols,
      payee,
    ].flatMap((body) => Object.keys(textsOfOrder(orderOf(body), terms)));
    expect([...new Set(used), "purpose"]).to.have.members(ORDER_MEMBERS);
  });

  it("include amount, payee, day and everything else of a SEPA payment", () => {
    expect(textsOf(wholePayment("sepa"))).to.deep.equal({
      amount: "99.90",
      currency: "EUR",
      creditorName: "Beispiel GmbH",
      creditorAddress: "Musterweg 1, 1030 Wien, AT",
      creditorIban: "AT611904300234573201",
      creditorBic: "TESTATWW",
      ultimateCreditor: "Muster AG, Weg 2, DE, TESTDEFF, REGISTER HRB 1 (Berlin)",
      debtorIban: "CZ7199000000192000000034",
      debtorCurrency: "EUR",
      ultimateDebtor: "Karel Novak, Dlouha 12, 110 00 Praha, CZ, ID CARD 1245789528 (OU Praha 2)",
      executionDate: "2024-05-06",
      priority: "NORM",
      message: "Rechnung 77",
      endToEndIdentification: "NOTPROVIDED",
      chargeBearer: "SLEV",
      instructionIdentification: "TPP-2024-000002",
      paymentId: PAYMENT_ID,
    });
  });

  it("name the bank and the number of an account without an IBAN", () => {
    const texts = textsOf(wholePayment("outside-eea"));
    expect(texts.creditorNumber).to.equal("123456789");
    expect(texts.creditorBank).to.equal(
      "Sample Commercial Bank, Wall St 1, 10005 New York, US, USABA 021000021, BR-7",
    );
  });

  it("name a clearing system by its own name, and a person's identification also without an issuer", () => {
    const system = "creditorAgent.financialInstitutionIdentification.clearingSystemMemberIdentification";
    const own = changedPayment("outside-eea", `${system}.clearingSystemIdentification`, {
      proprietary: "OWN",
    });
    expect(textsOf(own).creditorBank).to.contain(", OWN 021000021, ");
    const issuer = "ultimateDebtor.identification.privateIdentification.other.issuer";
    const { ultimateDebtor } = textsOf(changedPayment("sepa", issuer, undefined));
    expect(ultimateDebtor).to.equal("Karel Novak, Dlouha 12, 110 00 Praha, CZ, ID CARD 1245789528");
  });

  it("name a party by name and address if nothing identifies it, and an organisation with its BIC alone", () => {
    const person = changedPayment("sepa", "ultimateDebtor.identification", undefined);
    expect(textsOf(person).ultimateDebtor).to.equal("Karel Novak, Dlouha 12, 110 00 Praha, CZ");
    const other = "ultimateCreditor.identification.organisationIdentification.other";
    const organisation = changedPayment("sepa", other, undefined);
    expect(textsOf(organisation).ultimateCreditor).to.equal("Muster AG, Weg 2, DE, TESTDEFF");
  });

  it("give a fee with its currency", () => {
    const fee = { minor: 150n, currency: parseCurrencyCode("CZK") };
    const texts = textsOfOrder(orderOf(wholePayment("domestic")), {
      executionDate: "2024-05-06",
      fee,
    });
    expect([texts.fee, texts.feeCurrency]).to.deep.equal(["1.50", "CZK"]);
    expect(parseOrder(canonicalize(texts)).says).to.deep.equal(texts);
  });

  it("show two decimals in every currency, and never less than is paid", () => {
    const order = orderOf(wholePayment("outside-eea"));
    const amountIn = (code: string, minor: bigint) => {
      const amount = { minor, currency: parseCurrencyCode(code) };
      return textsOfOrder({ ...order, amount }, { executionDate: "2024-05-06" }).amount;
    };
    expect(amountIn("JPY", 1000n)).to.equal("1000.00");
    expect(amountIn("KWD", 1230n)).to.equal("1.23");
    expect(amountIn("USD", 99999999999999999n)).to.equal("999999999999999.99");
    expect(() => amountIn("KWD", 1234n)).to.throw(RangeError);
  });

  it("fit on auth's page even if every text has its maximum length", () => {
    const body = wholePayment("outside-eea");
    const lines = ["x".repeat(70), "y".repeat(70)];
    const x35 = "x".repeat(35);
    body.creditor = { name: "n".repeat(70), postalAddress: { country: "US", addressLine: lines } };
    body.remittanceInformation = { unstructured: "m".repeat(140) };
    body.creditorAgent = {
      financialInstitutionIdentification: {
        bic: "TESTUS33XXX",
        clearingSystemMemberIdentification: {
          clearingSystemIdentification: { proprietary: x35 },
          memberIdentification: x35,
        },
        name: "b".repeat(105),
        postalAddress: { country: "US", addressLine: lines },
        other: { identification: x35 },
      },
    };
    const texts = textsOf(body);
    expect(parseOrder(canonicalize(texts)).says).to.deep.equal(texts);
  });
});
