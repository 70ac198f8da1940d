import { expect } from "chai";
import { NEVER_READ, ROWS, type Row } from "./payment-table.ts";
import { changedPayment, faultsOf, orderOf, TYPES, wholePayment } from "./sample-payments.ts";

type Type = (typeof TYPES)[number];

/** Abroad the payee's account has one of two forms, and the examples of both types have one each. */
const isOfChoice = (type: Type, { path }: Row) =>
  type.endsWith("eea") && path.startsWith("creditorAccount.identification.");

const rowsWith = (type: Type, letters: string) => ROWS.filter((row) => letters.includes(row.letters[type]));

/** A value of each element that some type ignores; in what is ignored nothing is looked at. */
const SENSELESS: readonly unknown[] = ["\u0000", 1, [{}], { a: { b: 1 } }, false];

/** What the standard wants when an element is taken away: in the payee's account the way to it that most have. */
function missing(path: string): string {
  return path.startsWith("creditorAccount.identification.other")
    ? "FIELD_MISSING creditorAccount.identification.iban"
    : `FIELD_MISSING ${path}`;
}

for (const type of TYPES)
  describe(`a payment of type ${type} (COBS 3.2.4.1)`, () => {
    for (const { path } of rowsWith(type, "M"))
      it(`must have ${path}`, () => {
        for (const absent of [undefined, null]) {
          const faults = faultsOf(changedPayment(type, path, absent));
          expect(faults).to.deep.equal([missing(path)]);
        }
      });

    for (const { path } of rowsWith(type, "R"))
      it(`must have ${path} (RR03)`, () => {
        for (const absent of path.endsWith("name")
          ? [undefined, null, " "]
          : [undefined, null, {}, { country: null }])
          expect(faultsOf(changedPayment(type, path, absent))).to.deep.equal([`RR03 ${path}`]);
      });

    for (const { path } of rowsWith(type, "O"))
      it(`may omit ${path} or send it as null (A-04)`, () => {
        expect(faultsOf(changedPayment(type, path, undefined))).to.deep.equal([]);
        expect(faultsOf(changedPayment(type, path, null))).to.deep.equal([]);
      });

    for (const { path } of rowsWith(type, "-").filter((row) => !isOfChoice(type, row)))
      it(`ignores ${path} and does not repeat it (A-53)`, () => {
        const order = orderOf(wholePayment(type));
        for (const value of SENSELESS)
          expect(orderOf(changedPayment(type, path, value))).to.deep.equal(order);
      });

    for (const row of ROWS.filter(({ max, letters }) => max !== undefined && letters[type] !== "-"))
      it(`accepts ${row.max} characters in ${row.path} and not one more (chapter 4)`, () => {
        expectLongest(type, row);
      });

    it("ignores elements that no type has and unknown ones (A-53, A-60)", () => {
      const order = orderOf(wholePayment(type));
      for (const [path, value] of Object.entries(NEVER_READ))
        expect(orderOf(changedPayment(type, path, value))).to.deep.equal(order);
    });

    it("has all missing elements of an empty request reported at once (3.2.4)", () => {
      expect(faultsOf({})).to.deep.equal([
        "FIELD_MISSING paymentIdentification",
        "FIELD_MISSING amount",
        "FIELD_MISSING debtorAccount",
        "FIELD_MISSING creditorAccount",
      ]);
    });
  });

function expectLongest(type: Type, { path, max = 0 }: Row): void {
  expect(faultsOf(changedPayment(type, path, "x".repeat(max)))).to.deep.equal([]);
  expect(faultsOf(changedPayment(type, path, "x".repeat(max + 1)))).to.deep.equal([`FIELD_INVALID ${path}`]);
}

describe("alternative elements of a payment", () => {
  const bank = "creditorAgent.financialInstitutionIdentification";
  const withBank = (institution: unknown) => faultsOf(changedPayment("outside-eea", bank, institution));

  for (const [name, value] of Object.entries({
    bic: "TESTUS33",
    clearingSystemMemberIdentification: { memberIdentification: "021000021" },
    name: "Sample Commercial Bank",
    postalAddress: { country: "US" },
    other: { identification: "BR-7" },
  }))
    it(`let a bank outside the EEA be identified by ${name} alone (3.2.4.1)`, () => {
      expect(withBank({ [name]: value })).to.deep.equal([]);
    });

  it("require at least one identification of such a bank (3.2.4.1)", () => {
    for (const nothing of [{}, { postalAddress: {} }, { name: " ", other: { identification: null } }])
      expect(withBank(nothing)).to.deep.equal([`FIELD_MISSING ${bank}`]);
  });

  it("give the payee's IBAN precedence over the number, which is used if there is no IBAN (A-52)", () => {
    const iban = "DE89370400440532013000";
    const both = changedPayment("inside-eea", "creditorAccount.identification", {
      iban,
      other: { identification: "532013000" },
    });
    expect(orderOf(both).creditorAccount).to.deep.equal({ iban, currency: undefined });
    expect(orderOf(wholePayment("outside-eea")).creditorAccount).to.deep.equal({ number: "123456789" });
  });

  it("do not include a number beside the payee's IBAN, whatever is in it (A-52)", () => {
    const iban = "CZ6508000000192000145399";
    const order = orderOf(changedPayment("inside-eea", "creditorAccount.identification", { iban }));
    for (const number of ["19-2000145399/0800", iban, "x".repeat(35), "*", 5])
      for (const other of [{ identification: number }, number, {}])
        expect(
          orderOf(changedPayment("inside-eea", "creditorAccount.identification", { iban, other })),
        ).to.deep.equal(order);
  });

  it("do not include a payee's number as the account list writes it, which is no object (A-34)", () => {
    for (const other of ["2000000018", 2000000018, ["2000000018"]])
      expect(
        faultsOf(changedPayment("outside-eea", "creditorAccount.identification", { other })),
      ).to.deep.equal(["FIELD_INVALID creditorAccount.identification.other"]);
  });

  it("do not replace a wrong IBAN by the number beside it (A-52)", () => {
    const account = { iban: "DE00370400440532013000", other: { identification: "532013000" } };
    expect(faultsOf(changedPayment("inside-eea", "creditorAccount.identification", account))).to.deep.equal([
      "FIELD_INVALID creditorAccount.identification.iban",
    ]);
  });

  it("allow only one of an organisation and a person (4.13)", () => {
    const other = { identification: "1" };
    const both = { organisationIdentification: { other }, privateIdentification: { other } };
    const path = "ultimateDebtor.identification";
    expect(faultsOf(changedPayment("sepa", path, both))).to.deep.equal([`FIELD_INVALID ${path}`]);
  });

  it("allow the issuer beside or inside the scheme, and an array, of which the first is used (A-55, A-56)", () => {
    const path = "ultimateDebtor.identification.privateIdentification.other";
    const order = orderOf(wholePayment("sepa"));
    const inside = {
      identification: "1245789528",
      schemeName: { proprietary: "ID CARD", issuer: "OU Praha 2" },
    };
    expect(orderOf(changedPayment("sepa", path, inside))).to.deep.equal(order);
    expect(orderOf(changedPayment("sepa", path, [inside, { identification: "2" }]))).to.deep.equal(order);
  });

  it("do not allow an address that is both structured and in lines (4.10.1.4)", () => {
    const address = { townName: "Wien", addressLine: ["Musterweg 1"] };
    expect(faultsOf(changedPayment("sepa", "creditor.postalAddress", address))).to.deep.equal([
      "FIELD_INVALID creditor.postalAddress.addressLine",
    ]);
  });

  it("cause one fault for too many address lines beside a structured address", () => {
    const address = { townName: "Wien", addressLine: ["a", "b", "c"] };
    expect(faultsOf(changedPayment("sepa", "creditor.postalAddress", address))).to.deep.equal([
      "FIELD_INVALID creditor.postalAddress.addressLine",
    ]);
  });

  it("allow an address in one form beside an empty other one, which the echo omits (1.2.3)", () => {
    const path = "creditor.postalAddress";
    const [inLines, structured] = [{ addressLine: ["Musterweg 1"] }, { townName: "Wien" }];
    for (const [address, read] of [
      [{ ...structured, addressLine: [] }, structured],
      [{ ...structured, addressLine: ["", " ", null] }, structured],
      [{ ...inLines, streetName: "", townName: null, postCode: " " }, inLines],
    ])
      expect(orderOf(changedPayment("sepa", path, address))).to.deep.equal(
        orderOf(changedPayment("sepa", path, read)),
      );
  });

  it("allow two address lines, not three (3.2.4.1)", () => {
    const lines = (count: number) => ({ country: "AT", addressLine: Array(count).fill("x") });
    const path = "creditor.postalAddress";
    expect(faultsOf(changedPayment("sepa", path, lines(2)))).to.deep.equal([]);
    expect(faultsOf(changedPayment("sepa", path, lines(3)))).to.deep.equal([
      `FIELD_INVALID ${path}.addressLine`,
    ]);
  });
});
