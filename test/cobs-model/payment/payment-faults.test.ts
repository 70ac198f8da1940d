import { keepNumber, readPaymentOrder } from "@cobs/cobs-model";
import { expect } from "chai";
import { processorTime } from "../../support/processor-time.ts";
import { changedPayment, faultsOf, NOW, orderOf, TERMS, TYPES, wholePayment } from "./sample-payments.ts";

const CREDITOR_IBAN = "creditorAccount.identification.iban";
const DEBTOR_IBAN = "debtorAccount.identification.iban";
const PRIORITY = "paymentTypeInformation.instructionPriority";
const DATE = "requestedExecutionDate";
const BANK = "creditorAgent.financialInstitutionIdentification";

/** In milliseconds; with a square of the accents it would be a second. */
const LONGEST_READING = 100;

const parametersOf = (body: unknown) =>
  readPaymentOrder(body, TERMS, NOW).faults.map(({ parameters }) => parameters);

describe("a fault of a payment (COBS 3.2.4)", () => {
  for (const body of [null, 1, "{}", [], [{}], true])
    it(`is a body that is not an object: ${JSON.stringify(body)} (FF01)`, () => {
      expect(faultsOf(body)).to.deep.equal(["FF01 undefined"]);
    });

  it("is a number instead of an object, even one too long for a binary number (A-70)", () => {
    for (const number of [5, keepNumber("99999999999999999999")])
      expect(faultsOf({ ...wholePayment("domestic"), debtorAccount: number })).to.include(
        "FIELD_INVALID debtorAccount",
      );
  });

  it("is a payer's account with a wrong checksum (AC02, 9.2, 9.3)", () => {
    for (const iban of [
      "CZ3399000000002000000018",
      "CZ9599000000002000000019",
      "CZ",
      "cz3299000000002000000018",
      5,
    ])
      expect(faultsOf(changedPayment("domestic", DEBTOR_IBAN, iban))).to.deep.equal([`AC02 ${DEBTOR_IBAN}`]);
  });

  it("is a payee's account with a wrong checksum (4.9.1.1, A-78)", () => {
    for (const iban of ["CZ0708000000001019540081", "AT872011102000123456", "DE89370400440532013001", "x", 5])
      expect(faultsOf(changedPayment("sepa", CREDITOR_IBAN, iban))).to.include(
        `FIELD_INVALID ${CREDITOR_IBAN}`,
      );
  });

  it("is a wrong number of a payee's account at the bank itself (AC03)", () => {
    const iban = "CZ3399000000002000000018";
    expect(faultsOf(changedPayment("domestic", CREDITOR_IBAN, iban))).to.deep.equal([
      `AC03 ${CREDITOR_IBAN}`,
    ]);
    const own = changedPayment("domestic", CREDITOR_IBAN, "CZ7199000000192000000034");
    expect(faultsOf({ ...own, paymentIdentification: 1 })).to.deep.equal([
      "FIELD_INVALID paymentIdentification",
    ]);
  });

  for (const iban of [
    "CZ71 9900 0000 1920 0000 0034",
    "cz7199000000192000000034",
    "cz33 9900 0000 0020 0000 0018",
  ])
    it(`is a payee's account at the bank itself with spaces or small letters: ${iban} (AC03)`, () => {
      const payment = changedPayment("domestic", CREDITOR_IBAN, iban);
      expect(faultsOf(payment)).to.deep.equal([`AC03 ${CREDITOR_IBAN}`]);
    });

  it("is a wrong foreign IBAN, not taken for an account at the bank itself (AC03)", () => {
    const foreign = changedPayment("sepa", CREDITOR_IBAN, "DE96990000000123456789");
    expect(faultsOf(foreign)).to.deep.equal([`FIELD_INVALID ${CREDITOR_IBAN}`]);
  });

  it("is a payment to the payer's own account (REC_SEND)", () => {
    const own = changedPayment("domestic", CREDITOR_IBAN, "CZ3299000000002000000018");
    expect(faultsOf(own)).to.deep.equal([`REC_SEND ${CREDITOR_IBAN}`]);
  });

  it("is not a payment to oneself if neither account is valid", () => {
    const wrong = changedPayment("domestic", CREDITOR_IBAN, "x");
    for (const identification of [{ iban: "x" }, {}])
      expect(faultsOf({ ...wrong, debtorAccount: { identification } }).join()).not.to.include("REC_SEND");
    const none = { ...wrong, debtorAccount: undefined, creditorAccount: undefined };
    expect(faultsOf(none)).to.include("FIELD_MISSING debtorAccount");
    expect(faultsOf(none).join()).not.to.include("REC_SEND");
  });

  it("is a payee's BIC with a wrong form or country (RC07, 4.10.1.1)", () => {
    for (const type of ["sepa", "inside-eea", "outside-eea"] as const)
      for (const bic of ["TESTDE", "TESTZZFF", "testdeff", "TESTDEFFXX", 7])
        expect(faultsOf(changedPayment(type, `${BANK}.bic`, bic))).to.deep.equal([`RC07 ${BANK}.bic`]);
  });

  it("is a clearing code that its system cannot have (RC10)", () => {
    const path = `${BANK}.clearingSystemMemberIdentification`;
    for (const [code, member] of [
      ["USABA", "12345"],
      ["GBDSC", "20-32-53"],
      ["usaba", "021000021"],
    ]) {
      const clearing = { clearingSystemIdentification: { code }, memberIdentification: member };
      expect(faultsOf(changedPayment("outside-eea", path, clearing))).to.deep.equal([`RC10 ${path}`]);
    }
    for (const none of ["USABA", 1, []])
      expect(faultsOf(changedPayment("outside-eea", path, none))).to.deep.equal([`RC10 ${path}`]);
    for (const system of [{ code: "XXNEW" }, { code: "", proprietary: "OWN" }, { code: " " }]) {
      const member = { clearingSystemIdentification: system, memberIdentification: "1" };
      expect(faultsOf(changedPayment("outside-eea", path, member))).to.deep.equal([]);
    }
    for (const memberIdentification of [null, "", " "]) {
      const member = { clearingSystemIdentification: { code: "USABA" }, memberIdentification };
      const faults = faultsOf(changedPayment("outside-eea", path, member));
      expect(faults).to.deep.equal([`FIELD_MISSING ${path}.memberIdentification`]);
    }
  });

  for (const [type, code, expected] of [
    ["domestic", "SHAR", "BE19"],
    ["domestic", "SLEV", "BE19"],
    ["sepa", "SHAR", "BE19"],
    ["sepa", "SLEV", undefined],
    ["inside-eea", "DEBT", undefined],
    ["inside-eea", "SHAR", undefined],
    ["inside-eea", "CRED", "BE19"],
    ["inside-eea", "SLEV", "BE19"],
    ["outside-eea", "CRED", undefined],
    ["outside-eea", "SLEV", "BE19"],
    ["outside-eea", "OUR", "BE19"],
    ["outside-eea", 1, "BE19"],
  ] as const)
    it(`${expected === undefined ? "is not" : "is"} chargeBearer ${code} for type ${type} (BE19, 3.2.4.1)`, () => {
      const faults = expected === undefined ? [] : ["BE19 chargeBearer"];
      expect(faultsOf(changedPayment(type, "chargeBearer", code))).to.deep.equal(faults);
    });

  it("is a priority that the bank does not offer for the type; the refusal lists those it does (NO_PART, A-61)", () => {
    const body = changedPayment("sepa", PRIORITY, "HIGH");
    expect(faultsOf(body)).to.deep.equal([`NO_PART ${PRIORITY}`]);
    expect(parametersOf(body)).to.deep.equal([{ ALLOWED_PRIORITY_TYPES: ["NORM", "INST"] }]);
    expect(faultsOf(changedPayment("domestic", PRIORITY, "INST"))).to.deep.equal([]);
  });

  for (const allowed of [[], ["HIGH"]] as const)
    it(`is a missing priority, which means NORM, if the bank offers ${allowed.join() || "none"} (NO_PART, 4.24.1)`, () => {
      const terms = { ...TERMS, priorities: { ...TERMS.priorities, "outside-eea": allowed } };
      const message = `${PRIORITY} is NORM, which is not offered; this is a foreign payment outside the EEA`;
      const fault = {
        code: "NO_PART",
        path: PRIORITY,
        parameters: { ALLOWED_PRIORITY_TYPES: allowed },
        message,
      };
      const information = "paymentTypeInformation";
      for (const [path, said] of [
        [information, undefined],
        [information, null],
        [information, {}],
        [PRIORITY, null],
        [PRIORITY, "NORM"],
      ] as const) {
        const { order, faults } = readPaymentOrder(changedPayment("outside-eea", path, said), terms, NOW);
        expect(faults, `${path} ${JSON.stringify(said)}`).to.deep.equal([fault]);
        expect(order).to.equal(undefined);
      }
      for (const [path, said] of [
        [information, "NORM"],
        [PRIORITY, "norm"],
      ] as const) {
        const { faults } = readPaymentOrder(changedPayment("outside-eea", path, said), terms, NOW);
        expect(faults.map((each) => `${each.code} ${each.path}`)).to.deep.equal([`FIELD_INVALID ${path}`]);
      }
    });

  it("is an unknown priority (4.24.1)", () => {
    for (const priority of ["high", "URGP", 1])
      expect(faultsOf(changedPayment("domestic", PRIORITY, priority))).to.deep.equal([
        `FIELD_INVALID ${PRIORITY}`,
      ]);
  });

  for (const day of [
    "2024-02-30",
    "2024-13-01",
    "05.02.2024",
    "2024-02-05T00:00:00Z",
    "",
    20240205,
    ["2024-02-05"],
  ])
    it(`is an invalid day: ${JSON.stringify(day)} (DT01)`, () => {
      expect(faultsOf(changedPayment("domestic", DATE, day))).to.deep.equal([`DT01 ${DATE}`]);
    });

  it("is a day in the past or too far ahead (DT01, A-72)", () => {
    const withDay = (day: string) => changedPayment("domestic", DATE, day);
    for (const day of ["2024-02-05", "2025-02-04"]) expect(faultsOf(withDay(day))).to.deep.equal([]);
    expect(parametersOf(withDay("2024-02-04"))).to.deep.equal([{ DATE: "DATE_TO_OLD" }]);
    expect(parametersOf(withDay("2025-02-05"))).to.deep.equal([
      { DATE: "DATE_IN_FUTURE", LIMIT: "2025-02-04" },
    ]);
  });

  it("is a day from which the payment would be moved too far ahead; the last possible day is given (DT01, A-72)", () => {
    const faultOf = (day: string, now: string, type: (typeof TYPES)[number] = "domestic") =>
      readPaymentOrder(changedPayment(type, DATE, day), TERMS, new Date(now)).faults.map(
        ({ parameters }) => parameters,
      );
    // A Saturday is the 364th day ahead, and a Sunday the last one.
    const now = "2024-03-02T10:00:00+01:00";
    expect(faultOf("2025-02-28", now)).to.deep.equal([]);
    for (const day of ["2025-03-01", "2025-03-02", "2025-03-03"])
      expect(faultOf(day, now), day).to.deep.equal([{ DATE: "DATE_IN_FUTURE", LIMIT: "2025-02-28" }]);
  });

  it("is never today, even if that is moved beyond the last day (A-72)", () => {
    const faultOf = (day: string, now: string) =>
      readPaymentOrder(changedPayment("domestic", DATE, day), { ...TERMS, maxDaysAhead: 0 }, new Date(now))
        .faults;
    for (const now of ["2024-02-10T10:00:00+01:00", "2024-02-05T23:00:00+01:00"]) {
      expect(faultOf(now.slice(0, 10), now)).to.deep.equal([]);
      expect(faultOf("2024-02-12", now)).to.have.nested.property("[0].parameters.LIMIT", now.slice(0, 10));
    }
  });

  it("is a day in the past by the bank's clock (A-72)", () => {
    const lastDay = changedPayment("domestic", DATE, "2024-02-05");
    expect(faultsOf(lastDay, new Date("2024-02-05T22:59:59Z"))).to.deep.equal([]);
    expect(faultsOf(lastDay, new Date("2024-02-05T23:00:00Z"))).to.deep.equal([`DT01 ${DATE}`]);
  });

  it("is a day without business for an instant payment, unless it is today (DT01, A-72)", () => {
    const instant = changedPayment("domestic", PRIORITY, "INST");
    const saturday = { ...instant, [DATE]: "2024-02-10" };
    expect(faultsOf(saturday)).to.deep.equal([`DT01 ${DATE}`]);
    expect(faultsOf(saturday, new Date("2024-02-10T22:00:00Z"))).to.deep.equal([]);
    expect(faultsOf(changedPayment("domestic", DATE, "2024-02-10"))).to.deep.equal([]);
  });

  it("is a Czech holiday for an instant payment in euros too, though TARGET is open (DT01, A-72)", () => {
    const instant = changedPayment("sepa", PRIORITY, "INST");
    expect(faultsOf({ ...instant, [DATE]: "2024-07-04" })).to.deep.equal([]);
    expect(faultsOf({ ...instant, [DATE]: "2024-07-05" })).to.deep.equal([`DT01 ${DATE}`]);
  });

  it("is an identification with other characters or a misplaced slash (RR10, 1.4)", () => {
    const path = "paymentIdentification.instructionIdentification";
    for (const type of TYPES)
      for (const text of ["žluť", "a_b", "a*b", "/a", "a/", "a//b", "a\nb", "a\u0000"])
        expect(faultsOf(changedPayment(type, path, text))).to.deep.equal([`RR10 ${path}`]);
  });

  it("is a text abroad with characters that have no base letter (RR10, A-10)", () => {
    for (const text of ["Жанна", "名前", "a & b", "a\u202eb", "a\tb"])
      expect(faultsOf(changedPayment("sepa", "creditor.name", text))).to.deep.equal(["RR10 creditor.name"]);
  });

  const messageOf = (path: string, text: unknown, type: (typeof TYPES)[number] = "domestic") =>
    readPaymentOrder(changedPayment(type, path, text), TERMS, NOW).faults[0]?.message;

  it("says which of the two forms of an address stands beside the other", () => {
    const path = "creditor.postalAddress";
    const both = { townName: "Wien", addressLine: ["Musterweg 1"] };
    expect(messageOf(path, both, "sepa")).to.equal(
      `${path}.addressLine must not be combined with an address in parts, such as streetName`,
    );
    expect(messageOf(path, "Wien", "sepa")).to.equal(`${path} is not an object`);
  });

  it("says how many digits each symbol may have (4.27)", () => {
    const path = "remittanceInformation.structured.creditorReferenceInformation.reference";
    expect(messageOf(path, ["VS:12345678901"])).to.include("at most once and with 1 to 10 digits");
  });

  it("says which codes are allowed, even if it is only one", () => {
    expect(messageOf("chargeBearer", "SHAR", "sepa")).to.include("chargeBearer must be SLEV;");
    expect(messageOf("chargeBearer", "CRED", "inside-eea")).to.include(
      "chargeBearer must be one of DEBT, SHAR;",
    );
  });

  for (const [type, path, said, expected] of [
    ["sepa", "creditor", undefined, "is missing; this is a SEPA payment"],
    ["sepa", "creditor.name", undefined, "is missing; this is a SEPA payment"],
    ["inside-eea", "creditorAgent", undefined, "is missing; this is a foreign payment inside the EEA"],
    [
      "outside-eea",
      PRIORITY,
      "INST",
      "is INST, which is not offered; this is a foreign payment outside the EEA",
    ],
    ["domestic", "chargeBearer", "SHAR", "must not be sent; this is a domestic payment"],
    ["sepa", "debtorAccount", undefined, "is missing"],
    ["sepa", "amount.instructedAmount.value", undefined, "is missing"],
  ] as const)
    it(`says what type the payment is taken for if that is why: ${path}, ${type} (A-60)`, () => {
      expect(messageOf(path, said, type)).to.equal(`${path} ${expected}`);
    });

  for (const [text, said] of [
    ["káva & dort, 5 %", "& (U+0026)"],
    ["5 %", "% (U+0025)"],
    ["Žižka Ж", "Ж (U+0416)"],
    ["a\u202eb", "U+202E"],
    ["a\u0000b", "U+0000"],
    ["účet 😀", "😀 (U+1F600)"],
  ] as const)
    it(`names the first character that is not permitted: ${said} (RR10)`, () => {
      const path = "remittanceInformation.unstructured";
      expect(messageOf(path, text)).to.equal(`${path} has ${said}, which is not permitted`);
    });

  it("says if a text is too long, or a slash or space misplaced", () => {
    const message = "remittanceInformation.unstructured";
    expect(messageOf(message, "&".repeat(141))).to.equal(`${message} must be text of at most 140 characters`);
    const id = "paymentIdentification.instructionIdentification";
    for (const text of ["/a", "a/", "a//b"])
      expect(messageOf(id, text)).to.equal(`${id} must not begin or end with a slash, or have two in a row`);
    const number = "creditorAccount.identification.other.identification";
    const abroad = messageOf(number, " 1", "outside-eea");
    expect(abroad).to.equal(`${number} must not begin or end with a space`);
  });

  it("is found quickly in a text that is far too long, however many accents it has", async () => {
    const text = `a${"\u0301".repeat(15_000)}${"\u0323".repeat(15_000)}`;
    const path = "ultimateDebtor.identification.privateIdentification.other.schemeName.proprietary";
    const read = async () => messageOf(path, text, "sepa");
    expect(await read()).to.equal(`${path} must be text of at most 35 characters`);
    expect(await processorTime(read, LONGEST_READING)).to.be.below(LONGEST_READING);
  });

  for (const [path, iban] of [
    [DEBTOR_IBAN, "CZ32 9900 0000 0020 0000 0018"],
    [DEBTOR_IBAN, "cz3299000000002000000018"],
    [CREDITOR_IBAN, "CZ65 0800 0000 1920 0014 5399"],
  ] as const)
    it(`says how to write an IBAN that is written as people do: ${iban} (ISO 13616)`, () => {
      const expected = `${path} must be an IBAN in capital letters, without spaces`;
      expect(messageOf(path, iban)).to.equal(expected);
      expect(messageOf(path, iban.replace("8", "7"))).to.equal(`${path} is not an IBAN`);
    });

  it("says how to write a day if there is no such day (DT01)", () => {
    for (const text of ["2024-02-05T10:00:00Z", "5.2.2024", "2023-02-29"])
      expect(messageOf(DATE, text), text).to.equal(`${DATE} must be a calendar day (YYYY-MM-DD)`);
  });

  it("is reported together with those of all other elements (3.2.4)", () => {
    const body = wholePayment("inside-eea");
    Object.assign(body, { chargeBearer: "SLEV", requestedExecutionDate: "2020-01-01" });
    Object.assign(Object(body.amount).instructedAmount, { value: 0, currency: "GBP" });
    Object.assign(Object(body.debtorAccount).identification, { iban: "CZ00" });
    Object.assign(Object(body.creditorAccount).identification, { iban: "DE00370400440532013000" });
    Object.assign(Object(body.creditorAgent).financialInstitutionIdentification, { bic: "x" });
    Object.assign(Object(body.paymentTypeInformation), { instructionPriority: "INST" });
    Object.assign(Object(body.paymentIdentification), { instructionIdentification: "č" });
    body.creditor = { name: "x".repeat(71) };
    expect(faultsOf(body)).to.have.members([
      "RR10 paymentIdentification.instructionIdentification",
      "BE19 chargeBearer",
      `AC02 ${DEBTOR_IBAN}`,
      `RC07 ${BANK}.bic`,
      "FIELD_INVALID creditor.name",
      `FIELD_INVALID ${CREDITOR_IBAN}`,
      "AM11 amount.instructedAmount.currency",
      "AM12 amount.instructedAmount.value",
      `DT01 ${DATE}`,
      `NO_PART ${PRIORITY}`,
    ]);
  });
});

describe("the bank's completion of a payment", () => {
  it("sets who bears the charges by type (3.2.4.1)", () => {
    const bearers = TYPES.map(
      (type) => orderOf(changedPayment(type, "chargeBearer", undefined)).chargeBearer,
    );
    expect(bearers).to.deep.equal([undefined, "SLEV", "SHAR", "SHAR"]);
  });

  it("sets priority NORM if none is named (4.24.1)", () => {
    expect(orderOf(changedPayment("domestic", "paymentTypeInformation", undefined)).priority).to.equal(
      "NORM",
    );
  });

  it("removes accents from what goes abroad, as the PSU will see it (A-10)", () => {
    for (const name of ["Jiří Vodička", "Jiri\u0301 Vodic\u030cka"])
      expect(orderOf(changedPayment("sepa", "creditor.name", name)).creditor?.name).to.equal("Jiri Vodicka");
    const street = "Reisnerstraße 5, Ærø, Gjǿgv, Łódź, Đà Nẵng";
    const line = "creditor.postalAddress.addressLine";
    expect(
      orderOf(changedPayment("sepa", line, [street])).creditor?.postalAddress?.addressLine,
    ).to.deep.equal(["Reisnerstrasse 5, AEro, Gjogv, Lodz, Da Nang"]);
  });

  it("removes the bars of Maltese and Northern Sámi letters too (A-10)", () => {
    for (const [name, sent] of [
      ["Ħal Għaxaq Ltd", "Hal Ghaxaq Ltd"],
      ["Máŋgga Ŋorre, Ŧ ja ŧ", "Mangga Norre, T ja t"],
    ])
      expect(orderOf(changedPayment("sepa", "creditor.name", name)).creditor?.name).to.equal(sent);
  });

  it("keeps Czech letters in domestic payments, in one Unicode form (A-10)", () => {
    const path = "remittanceInformation.unstructured";
    const text = "Příliš žluťoučký kůň úpěl ďábelské ódy, ŽŠČŘĎŤŇ";
    expect(orderOf(changedPayment("domestic", path, text.normalize("NFD"))).unstructured).to.equal(text);
  });

  it("removes from the message of a domestic payment only the accents that Czech does not have (A-10)", () => {
    const path = "remittanceInformation.unstructured";
    for (const text of [
      "Müller, Žižkova, Hlavná Ľubovňa, Straße",
      "Mu\u0308ller, Žižkova, Hlavná L\u030cubovňa, Straße",
    ])
      expect(orderOf(changedPayment("domestic", path, text)).unstructured).to.equal(
        "Muller, Žižkova, Hlavná Lubovňa, Strasse",
      );
    expect(faultsOf(changedPayment("domestic", path, "ß".repeat(71)))).to.deep.equal([
      `FIELD_INVALID ${path}`,
    ]);
  });
});
