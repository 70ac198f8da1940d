/**
 * Table 3.2.4.1 of COBS, copied from the standard independently of the code: path, then how an element occurs in domestic, SEPA
 * and foreign payments inside and outside of the EEA, then the longest text. `C` is one of a choice, `R` a mandatory element
 * whose absence is RR03 (3.2.4).
 */
const TABLE = `
paymentIdentification                                    M M M M
paymentIdentification.instructionIdentification          M M M M 35
paymentIdentification.endToEndIdentification             - M - - 35
paymentTypeInformation                                   O O O O
paymentTypeInformation.instructionPriority               O O O O
amount                                                   M M M M
amount.instructedAmount                                  M M M M
amount.instructedAmount.value                            M M M M
amount.instructedAmount.currency                         M M M M
requestedExecutionDate                                   O O O O
chargeBearer                                             B O O O
ultimateDebtor                                           - O - -
ultimateDebtor.name                                      - O - - 70
ultimateDebtor.postalAddress                             - O - -
ultimateDebtor.postalAddress.streetName                  - O - - 70
ultimateDebtor.postalAddress.buildingNumber              - O - - 16
ultimateDebtor.postalAddress.postCode                    - O - - 16
ultimateDebtor.postalAddress.townName                    - O - - 35
ultimateDebtor.postalAddress.country                     - O - -
ultimateDebtor.identification                            - O - -
ultimateDebtor.identification.privateIdentification      - O - -
ultimateDebtor.identification.privateIdentification.other - O - -
ultimateDebtor.identification.privateIdentification.other.identification - M - - 35
ultimateDebtor.identification.privateIdentification.other.schemeName - O - -
ultimateDebtor.identification.privateIdentification.other.schemeName.proprietary - M - - 35
ultimateDebtor.identification.privateIdentification.other.issuer - O - - 35
debtorAccount                                            M M M M
debtorAccount.identification                             M M M M
debtorAccount.identification.iban                        M M M M
debtorAccount.currency                                   O O O O
creditorAgent                                            - O M M
creditorAgent.FIN                                        - M M M
creditorAgent.FIN.bic                                    - M M C
creditorAgent.FIN.clearingSystemMemberIdentification     - - - C
creditorAgent.FIN.clearingSystemMemberIdentification.clearingSystemIdentification - - - O
creditorAgent.FIN.clearingSystemMemberIdentification.memberIdentification - - - M
creditorAgent.FIN.name                                   - - - C 105
creditorAgent.FIN.postalAddress                          - - - C
creditorAgent.FIN.postalAddress.townName                 - - - O 35
creditorAgent.FIN.other                                  - - - C
creditorAgent.FIN.other.identification                   - - - O 35
creditor                                                 - M M M
creditor.name                                            - R R R 70
creditor.postalAddress                                   - O O R
creditor.postalAddress.country                           - O O O
creditorAccount                                          M M M M
creditorAccount.identification                           M M M M
creditorAccount.identification.iban                      M M M -
creditorAccount.identification.other                     - - - M
creditorAccount.identification.other.identification      - - - M 34
creditorAccount.currency                                 O - - -
ultimateCreditor                                         - O - -
ultimateCreditor.name                                    - O - - 70
ultimateCreditor.identification                          - O - -
ultimateCreditor.identification.organisationIdentification - O - -
ultimateCreditor.identification.organisationIdentification.bicOrBei - O - -
ultimateCreditor.identification.organisationIdentification.other - O - -
ultimateCreditor.identification.organisationIdentification.other.identification - M - - 35
remittanceInformation                                    O O O O
remittanceInformation.unstructured                       O O O O 140
remittanceInformation.structured                         O - - -
remittanceInformation.structured.creditorReferenceInformation           O - - -
remittanceInformation.structured.creditorReferenceInformation.reference O - - -
initiatingParty                                          O O O O
initiatingParty.name                                     O O O O 70
initiatingParty.postalAddress                            O O O O 70
`;

/** Elements that no type of payment has in a request (COBS 3.2.4.1). */
export const NEVER_READ: Readonly<Record<string, unknown>> = {
  "paymentIdentification.transactionIdentification": "P-1",
  "paymentTypeInformation.serviceLevel": { code: "XBCT" },
  "paymentTypeInformation.categoryPurpose": { code: "SALA" },
  "amount.equivalentAmount": { value: 1, currency: "EUR" },
  exchangeRateInformation: { exchangeRate: 25 },
  chargesAccount: { identification: { iban: "CZ3299000000002000000018" } },
  debtor: { name: "Jan Novak" },
  "debtorAccount.identification.other": { identification: "1" },
  intermediaryAgent1: { financialInstitutionIdentification: { bic: "x" } },
  purpose: { code: "GDDS" },
  instructionForNextAgent: "x",
  nosuchElement: [1, { a: null }],
};

/** One element: its path, the letter of each type, the longest text. */
export type Row = {
  readonly path: string;
  readonly letters: Readonly<Record<"domestic" | "sepa" | "inside-eea" | "outside-eea", string>>;
  readonly max: number | undefined;
};

/** Every element of the table. */
export const ROWS: readonly Row[] = TABLE.trim()
  .split("\n")
  .map((line) => {
    const [path = "", domestic = "", sepa = "", inside = "", outside = "", max] = line
      .replace("FIN", "financialInstitutionIdentification")
      .split(/\s+/);
    const letters = { domestic, sepa, "inside-eea": inside, "outside-eea": outside };
    return { path, letters, max: max === undefined ? undefined : Number(max) };
  });
