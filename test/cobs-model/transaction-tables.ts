/**
 * The occurrence tables of COBS 3.1.5.1, copied from the standard independently of the code: path, then how it occurs in
 * interest, cash and card transactions, in fees, in domestic, SEPA and foreign payments, then the longest text, or the block of
 * elements below it; for an address, that with its maximum number of lines. `C` is one of the choice.
 */
export const COLUMNS = ["plain", "fee", "domestic", "sepa", "foreign"] as const;

/** A kind of transaction, by its column. */
export type Column = (typeof COLUMNS)[number];

/** One element. */
export type Row = {
  readonly path: string;
  readonly occurrence: Readonly<Record<Column, string>>;
  readonly max: number | undefined;
  /** Maximum number of lines of an address. */
  readonly lines: number | undefined;
};

const TABLE = `
entryReference                                                   O O O O O 35
amount                                                           M M M M M
amount.value                                                     M M M M M
amount.currency                                                  M M M M M
direction                                                        M M M M M
isReversal                                                       O O O O O
status                                                           M M M M M
bookingDate                                                      M M M M M
valueDate                                                        M M M M M
code                                                             M M M M M
details                                                          O O M M M
details.references                                               O O O O O
details.references.messageIdentification                         O O O O O 35
details.references.accountServicerReference                      O O O O O 35
details.references.paymentInformationIdentification              O O O O O 35
details.references.instructionIdentification                     O O O O O 35
details.references.endToEndIdentification                        O O O O O 35
details.references.mandateIdentification                         - - - O - 35
details.references.chequeNumber                                  O O O O O 35
details.references.clearingSystemReference                       O O O O O 35
details.amountDetails                                            O O O O O
details.amountDetails.instructedAmount                           O O O O O
details.amountDetails.instructedAmount.amount                    M M M M M
details.amountDetails.instructedAmount.amount.value              M M M M M
details.amountDetails.instructedAmount.amount.currency           M M M M M
details.amountDetails.transactionAmount                          - - - - -
details.amountDetails.counterValueAmount                         O O O O O
details.amountDetails.counterValueAmount.amount                  O O O O O
details.amountDetails.counterValueAmount.amount.value            M M M M M
details.amountDetails.counterValueAmount.amount.currency         M M M M M
details.amountDetails.counterValueAmount.currencyExchange        O O O O O
details.amountDetails.counterValueAmount.currencyExchange.sourceCurrency M M M M M
details.amountDetails.counterValueAmount.currencyExchange.targetCurrency O O O O O
details.amountDetails.counterValueAmount.currencyExchange.exchangeRate   M M M M M
details.amountDetails.proprietaryAmount                          - - - - -
details.charges                                                  - - - - O
details.charges.bearer                                           - - - - M
details.relatedParties                                           O O M M M
details.relatedParties.debtor                                    O O O M M
details.relatedParties.debtor.name                               O O O M M 70
details.relatedParties.debtor.postalAddress                      - - - O O ADDR:2
details.relatedParties.debtor.identification                     - - - O - IDENT
details.relatedParties.debtorAccount                             O O M M M
details.relatedParties.debtorAccount.identification              M M M M M
details.relatedParties.debtorAccount.identification.iban         C C C M C
details.relatedParties.debtorAccount.identification.other        C C C - C
details.relatedParties.debtorAccount.identification.other.identification M M M - M 34
details.relatedParties.debtorAccount.currency                    O O O O O
details.relatedParties.debtorAccount.name                        - - - O O 70
details.relatedParties.ultimateDebtor                            - - - O -
details.relatedParties.ultimateDebtor.name                       - - - O - 70
details.relatedParties.ultimateDebtor.postalAddress              - - - O - ADDR:2
details.relatedParties.ultimateDebtor.identification             - - - O - IDENT
details.relatedParties.creditor                                  O O O M M
details.relatedParties.creditor.name                             O O O M M 70
details.relatedParties.creditor.postalAddress                    - - - O O ADDR:2
details.relatedParties.creditor.identification                   - - - O - IDENT
details.relatedParties.creditorAccount                           O O M M M
details.relatedParties.creditorAccount.identification            M M M M M
details.relatedParties.creditorAccount.identification.iban       C C C M C
details.relatedParties.creditorAccount.identification.other      C C C - C
details.relatedParties.creditorAccount.identification.other.identification M M M - M 34
details.relatedParties.creditorAccount.currency                  O O O O O
details.relatedParties.creditorAccount.name                      - - - O O 70
details.relatedParties.ultimateCreditor                          - - - O -
details.relatedParties.ultimateCreditor.name                     - - - O - 70
details.relatedParties.ultimateCreditor.postalAddress            - - - O - ADDR:7
details.relatedParties.ultimateCreditor.identification           - - - O - IDENT
details.relatedParties.proprietary                               - - - - -
details.relatedAgents                                            O O M M M
details.relatedAgents.debtorAgent                                O O M M M
details.relatedAgents.debtorAgent.FIN                            M M M M M
details.relatedAgents.debtorAgent.FIN.bic                        C C C M C
details.relatedAgents.debtorAgent.FIN.clearingSystemMemberIdentification - - - - C CLEARING
details.relatedAgents.debtorAgent.FIN.name                       O M O O C 70
details.relatedAgents.debtorAgent.FIN.postalAddress              - - - - C ADDR:2
details.relatedAgents.debtorAgent.FIN.other                      C C C - C
details.relatedAgents.debtorAgent.FIN.other.identification       M M M - M 35
details.relatedAgents.creditorAgent                              O O M M M
details.relatedAgents.creditorAgent.FIN                          M M M M M
details.relatedAgents.creditorAgent.FIN.bic                      C C C M C
details.relatedAgents.creditorAgent.FIN.clearingSystemMemberIdentification - - - - C CLEARING
details.relatedAgents.creditorAgent.FIN.name                     O O O O C 70
details.relatedAgents.creditorAgent.FIN.postalAddress            - - - - C ADDR:2
details.relatedAgents.creditorAgent.FIN.other                    C C C - C
details.relatedAgents.creditorAgent.FIN.other.identification     M M M - M 35
details.purpose                                                  - - - O - CODE
details.remittanceInformation                                    O O O O O
details.remittanceInformation.unstructured                       O O O O O 140
details.remittanceInformation.structured                         O O O O O
details.remittanceInformation.structured.creditorReferenceInformation           M M M M M
details.remittanceInformation.structured.creditorReferenceInformation.reference M M M M M
details.additionalTransactionInformation                         O O O O O 500
`;

/** The building blocks of COBS 3.1.5.1, below the element that has them. */
const BLOCKS: Readonly<Record<string, string>> = {
  ADDR: `
    .streetName O 70
    .buildingNumber O 16
    .postCode O 16
    .townName O 35
    .country O`,
  IDENT: `
    .organisationIdentification C
    .organisationIdentification.bicOrBei O
    .organisationIdentification.other O
    .organisationIdentification.other[0].identification O 35
    .organisationIdentification.other[0].schemeName O
    .organisationIdentification.other[0].schemeName.code C
    .organisationIdentification.other[0].schemeName.proprietary C 35
    .organisationIdentification.other[0].issuer O 35
    .privateIdentification C
    .privateIdentification.other O
    .privateIdentification.other[0].identification O 35
    .privateIdentification.other[0].schemeName O
    .privateIdentification.other[0].schemeName.code C
    .privateIdentification.other[0].schemeName.proprietary C 35
    .privateIdentification.other[0].issuer O 35`,
  CLEARING: `
    .clearingSystemIdentification O
    .clearingSystemIdentification.code C
    .clearingSystemIdentification.proprietary C 35
    .memberIdentification M 35`,
  CODE: `
    .code C
    .proprietary C 35`,
};

const linesOf = (text: string) => text.split("\n").filter((line) => line.trim() !== "");

function rowsOf(line: string): readonly Row[] {
  const [path = "", ...words] = line
    .replaceAll("FIN", "financialInstitutionIdentification")
    .trim()
    .split(/\s+/);
  const [block = "", lines] = (words[5] ?? "").split(":");
  const row = { ...makeRow(path, words.slice(0, 5), block), lines: numberOf(lines) };
  const below = linesOf(BLOCKS[block] ?? "").map((each) => {
    const [name = "", letter = "", max] = each.trim().split(/\s+/);
    const letters = words.slice(0, 5).map((above) => (above === "-" ? "-" : letter));
    return makeRow(`${path}${name}`, letters, max);
  });
  return [row, ...below];
}

function makeRow(path: string, letters: readonly string[], max: string | undefined): Row {
  const [plain = "", fee = "", domestic = "", sepa = "", foreign = ""] = letters;
  const occurrence = { plain, fee, domestic, sepa, foreign };
  return { path, occurrence, max: numberOf(max), lines: undefined };
}

function numberOf(word: string | undefined): number | undefined {
  return word !== undefined && /^\d+$/.test(word) ? Number(word) : undefined;
}

/** Every element of the tables, parents before children. */
export const ROWS: readonly Row[] = linesOf(TABLE).flatMap(rowsOf);
