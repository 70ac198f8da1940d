import { expect } from "chai";
import { asItCanBeTold } from "../../../packages/resource/src/bank/http-connector/parse-transactions.ts";
import { changedTransaction, faultsOf, wholeTransaction } from "../../cobs-model/sample-transactions.ts";

const PARTIES = "details.relatedParties";

const WRITTEN_BY_OTHERS = [
  "messageIdentification",
  "accountServicerReference",
  "paymentInformationIdentification",
  "instructionIdentification",
  "endToEndIdentification",
  "mandateIdentification",
  "chequeNumber",
  "clearingSystemReference",
].map((name) => `details.references.${name}`);

const IDENTIFICATIONS = ["debtor", "ultimateDebtor", "creditor", "ultimateCreditor"].flatMap((party) =>
  ["organisationIdentification", "privateIdentification"].map((kind) =>
    `${PARTIES}.${party}.identification`.concat(`.${kind}`),
  ),
);

/** What somebody acts on: another one would name something else. */
const ACTED_ON = [
  ["sepa", "entryReference"],
  ["domestic", `${PARTIES}.debtorAccount.identification`, "iban"],
  ["domestic", `${PARTIES}.creditorAccount.identification`, "other"],
  [
    "foreign",
    "details.relatedAgents.creditorAgent.financialInstitutionIdentification.other",
    "identification",
  ],
] as const;

describe("transaction references written by others (COBS 3.1.1)", () => {
  for (const path of WRITTEN_BY_OTHERS)
    it(`are shown in permitted characters: ${path}`, () => {
      const written = changedTransaction("sepa", path, "/A_1//ž");
      expect(faultsOf(written)).to.include(`FIELD_INVALID ${path}`);
      expect(asItCanBeTold(written)).to.deep.equal(changedTransaction("sepa", path, ".A.1/.z"));
    });

  for (const path of IDENTIFICATIONS)
    it(`are shown in permitted characters: those of ${path}`, () => {
      const other = (...identifications: readonly string[]) => ({
        other: identifications.map((identification) => ({ identification, issuer: "MV_ČR" })),
      });
      const parent = path.slice(0, path.lastIndexOf("."));
      const told = (identification: object) =>
        changedTransaction("sepa", parent, { [path.slice(parent.length + 1)]: identification });
      expect(asItCanBeTold(told(other("ID-1", "A_1//ž")))).to.deep.equal(told(other("ID-1", "A.1/.z")));
    });

  it("are unchanged where nothing needs replacing", () => {
    for (const kind of ["plain", "fee", "domestic", "sepa", "foreign"] as const)
      expect(asItCanBeTold(wholeTransaction(kind))).to.deep.equal(wholeTransaction(kind));
    for (const strange of [null, 1, "a_b", [], { details: null }, { details: { references: [null, "a_b"] } }])
      expect(asItCanBeTold(strange)).to.deep.equal(strange);
  });

  for (const [kind, above, name] of ACTED_ON) {
    const path = name === undefined ? above : `${above}.${name}`;
    it(`are left unchanged where somebody acts on them: ${path}`, () => {
      const value = name === "other" ? { identification: "12_3" } : "A_1";
      const written = changedTransaction(kind, above, name === undefined ? value : { [name]: value });
      expect(asItCanBeTold(written)).to.deep.equal(written);
      expect(faultsOf(written).join()).to.include(`FIELD_INVALID ${path}`);
    });
  }
});
