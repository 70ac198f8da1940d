import { ContentRefusal, parseDecimal, requireTransaction } from "@cobs/cobs-model";
import { expect } from "chai";
import fc from "fast-check";
import { changedTransaction as changed, faultsOf, put, wholeTransaction } from "./sample-transactions.ts";
import { COLUMNS, ROWS } from "./transaction-tables.ts";

describe("the reading of a transaction (COBS 3.1.5)", () => {
  it("returns what it read, without nulls and in minor units", () => {
    const value = {
      entryReference: null,
      amount: { value: "1250.5", currency: "CZK" },
      direction: "DBIT",
      status: "PDNG",
      bookingDate: "2024-05-02",
      valueDate: "2024-05-03",
      code: "30000201000",
      details: { references: { chequeNumber: "1234****", messageIdentification: null }, charges: null },
    };
    expect(requireTransaction(value)).to.deep.equal({
      entryReference: null,
      amount: { minor: parseDecimal("1250.50", requireTransaction(value).amount.currency), currency: "CZK" },
      direction: "DBIT",
      isReversal: false,
      status: "PDNG",
      bookingDate: "2024-05-02",
      valueDate: "2024-05-03",
      code: "30000201000",
      details: { references: { chequeNumber: "1234****" } },
    });
  });

  it("fills a bank text that is empty in one language from the other (PDF 1.2.3, 1.2.6)", () => {
    const read = (text: object) =>
      requireTransaction(changed("plain", "details.additionalTransactionInformation", text)).details
        ?.additionalTransactionInformation;
    expect(read({ cs: "Výběr", en: "" })).to.deep.equal({ cs: "Výběr", en: "Výběr" });
    expect(read({ cs: "  ", en: "Withdrawal" })).to.deep.equal({ cs: "Withdrawal", en: "Withdrawal" });
    expect(read({ cs: "", en: "" })).to.deep.equal({ cs: "", en: "" });
  });

  it("reports that a bank text given in one language must be in each", () => {
    const path = "details.additionalTransactionInformation";
    expect(() => requireTransaction(changed("plain", path, { cs: "Výběr" })))
      .to.throw(ContentRefusal)
      .with.nested.property(
        "faults[0].message",
        `${path} must have cs and en, each with text of at most 500 characters`,
      );
  });

  it("reports every fault at once, each below the given path", () => {
    const transaction = wholeTransaction("domestic");
    put(transaction, "amount.value", "-1");
    put(transaction, "status", undefined);
    put(transaction, "details.charges", { bearer: "SHA" });
    put(transaction, "details.relatedAgents.debtorAgent", undefined);
    put(transaction, "details.nosuch", 1);
    expect(faultsOf(transaction, "transactions[3]")).to.have.members([
      "FIELD_INVALID transactions[3].amount.value",
      "FIELD_MISSING transactions[3].status",
      "FIELD_INVALID transactions[3].details.charges",
      "FIELD_MISSING transactions[3].details.relatedAgents.debtorAgent",
      "FIELD_INVALID transactions[3].details.nosuch",
    ]);
  });

  it("refuses elements that the standard does not have, without repeating an unknown name", () => {
    expect(faultsOf(changed("plain", "details.references.other", "x"))).to.deep.equal([
      "FIELD_INVALID details.references.other",
    ]);
    expect(faultsOf({ ...wholeTransaction("plain"), "<b>": 1 })).to.deep.equal(["FIELD_INVALID undefined"]);
    expect(
      faultsOf(JSON.parse(JSON.stringify(wholeTransaction("plain")).replace("{", '{"__proto__":{"a":1},'))),
    ).to.deep.equal(["FIELD_INVALID undefined"]);
  });

  it("treats null as absent, even in elements that the standard does not have (A-04)", () => {
    const plain = requireTransaction(wholeTransaction("plain"));
    expect(requireTransaction({ ...wholeTransaction("plain"), nosuch: null })).to.deep.equal(plain);
    expect(requireTransaction(changed("plain", "details.references.other", null))).to.deep.equal(plain);
  });

  it("ignores unknown names if told to, but not elements of another kind", () => {
    const passing = (value: unknown) => requireTransaction(value, "", "passed over");
    const plain = requireTransaction(wholeTransaction("plain"));
    expect(passing({ ...wholeTransaction("plain"), nosuch: 1 })).to.deep.equal(plain);
    const unused = changed("plain", "details.charges", { bearer: "SHA" });
    expect(() => passing(unused))
      .to.throw(ContentRefusal)
      .with.nested.property("faults.length", 1);
  });

  it("says of a choice whether one of its elements is needed, or at least one", () => {
    const path = "details.relatedAgents.creditorAgent.financialInstitutionIdentification";
    for (const [kind, wanted] of [
      ["domestic", "must have one of bic, other"],
      [
        "foreign",
        "must have at least one of bic, clearingSystemMemberIdentification, name, postalAddress, other",
      ],
    ] as const)
      expect(() => requireTransaction(changed(kind, path, {})))
        .to.throw(ContentRefusal)
        .with.nested.property("faults[0].message", `${path} ${wanted}`);
  });

  it("reports a wrong code without guessing what the details should be", () => {
    expect(faultsOf(changed("sepa", "code", "1"))).to.deep.equal(["FIELD_INVALID code"]);
    expect(faultsOf(changed("sepa", "code", undefined))).to.deep.equal(["FIELD_MISSING code"]);
  });

  it("reports an empty mandatory text as missing, and accepts an empty optional one (PDF 1.2.3)", () => {
    const path = "details.relatedParties.creditor.name";
    expect(faultsOf(changed("sepa", path, ""))).to.deep.equal([`FIELD_MISSING ${path}`]);
    expect(faultsOf(changed("domestic", path, ""))).to.deep.equal([]);
  });

  it("drops empty values that could not be written as empty, whether or not the kind has them (PDF 1.2.3)", () => {
    const whole = wholeTransaction("domestic");
    const told = requireTransaction(whole);
    const bank = "details.relatedAgents.debtorAgent.financialInstitutionIdentification";
    put(whole, "details.relatedParties.debtorAccount.currency", "");
    put(whole, "details.references.mandateIdentification", "");
    put(whole, "details.relatedParties.debtor.postalAddress", []);
    put(whole, "details.charges", "");
    put(whole, `${bank}.bic`, "");
    put(whole, `${bank}.other`, { identification: "0800" });
    const read = JSON.parse(JSON.stringify(requireTransaction(whole).details));
    const expected = JSON.parse(JSON.stringify(told.details));
    put(expected, "relatedParties.debtorAccount.currency", undefined);
    put(expected, "relatedAgents.debtorAgent.financialInstitutionIdentification.bic", undefined);
    put(expected, "relatedAgents.debtorAgent.financialInstitutionIdentification.other", {
      identification: "0800",
    });
    expect(read).to.deep.equal(expected);
  });

  it("reports an empty mandatory code, account or bank as missing (PDF 1.2.3)", () => {
    const iban = "details.relatedParties.debtorAccount.identification";
    expect(faultsOf(changed("sepa", `${iban}.iban`, ""))).to.deep.equal([`FIELD_MISSING ${iban}.iban`]);
    expect(faultsOf(changed("domestic", iban, { iban: "" }))).to.deep.equal([`FIELD_MISSING ${iban}`]);
    expect(faultsOf(changed("plain", "status", ""))).to.deep.equal(["FIELD_MISSING status"]);
  });

  it("allows a mandate only for a direct debit (3.1.5.1.4)", () => {
    const transfer = changed("sepa", "code", "10000401000");
    expect(faultsOf(transfer)).to.deep.equal(["FIELD_INVALID details.references.mandateIdentification"]);
    expect(faultsOf(changed("sepa", "code", "50000201001"))).to.deep.equal([]);
  });

  for (const value of [undefined, null, 1, "a", [], [{}], true]) {
    it(`refuses ${JSON.stringify(value)}`, () => {
      expect(faultsOf(value)).to.deep.equal(["FIELD_INVALID undefined"]);
    });
  }

  it("yields either a transaction or a refusal with paths, whatever is put anywhere", () => {
    const path = fc.constantFrom(...ROWS.map((row) => row.path));
    const column = fc.constantFrom(...COLUMNS);
    fc.assert(
      fc.property(column, path, fc.oneof(fc.anything(), fc.jsonValue()), (kind, place, value) => {
        for (const fault of faultsOf(changed(kind, place, value)))
          expect(fault).to.match(/^FIELD_(?:MISSING|INVALID) [a-zA-Z0-9_.[\]]+$/);
      }),
      { numRuns: 2000 },
    );
    fc.assert(
      fc.property(fc.anything(), (value) => {
        expect(faultsOf(value)).not.to.equal(undefined);
      }),
    );
  });
});
