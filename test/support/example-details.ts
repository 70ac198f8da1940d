/** The details of the incoming domestic payment in the standard's example (4.3.5), as a bank keeps them. */
export const DOMESTIC_DETAILS = {
  references: { endToEndIdentification: "NOTPROVIDED" },
  amountDetails: { instructedAmount: { amount: { value: "1250.00", currency: "CZK" } } },
  relatedParties: {
    debtor: { name: "Jan Novák" },
    debtorAccount: { identification: { iban: "CZ6508000000192000145399" } },
    creditorAccount: { identification: { iban: "CZ3299000000002000000018" } },
  },
  relatedAgents: {
    debtorAgent: { financialInstitutionIdentification: { other: { identification: "0800" } } },
    creditorAgent: { financialInstitutionIdentification: { bic: "TESTCZPP" } },
  },
  remittanceInformation: {
    unstructured: "Nájem květen",
    structured: { creditorReferenceInformation: { reference: ["VS:2024005", "KS:0308"] } },
  },
};
