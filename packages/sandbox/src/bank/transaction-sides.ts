import type {
  FinancialInstitution,
  RelatedAccount,
  RelatedParty,
  TransactionDetails,
} from "@cobs/cobs-model";
import type { DemoParty } from "./demo-party.ts";

/** Who pays and who is paid. */
export type Sides = { readonly debtor: DemoParty; readonly creditor: DemoParty };

/** Parties, accounts and banks of a transaction. */
export type RelatedSides = Pick<TransactionDetails, "relatedParties" | "relatedAgents">;

/** Both sides of a domestic payment: banks by their Czech codes (COBS 3.1.5.1.3). */
export function domesticSides(sides: Sides): RelatedSides {
  return relatedSides(sides, {
    party: ({ name }) => ({ name }),
    agent: ({ bankCode = "" }) => ({ other: { identification: bankCode } }),
  });
}

/** Both sides of a SEPA payment: names and addresses without diacritics, banks by their BICs (COBS 3.1.5.1.4). */
export function sepaSides(sides: Sides): RelatedSides {
  return relatedSides(sides, { party: addressedParty, agent: ({ agent }) => ({ ...agent }) });
}

/** Both sides of a foreign payment: banks in any of the ways that there are (COBS 3.1.5.1.5). */
export function foreignSides(sides: Sides): RelatedSides {
  return relatedSides(sides, { party: addressedParty, agent: ({ agent }) => ({ ...agent }) });
}

/** A text in the characters that banks pass on across borders (COBS 3.1.1). */
export function withoutDiacritics(text: string): string {
  return text.normalize("NFD").replace(/\p{Mn}/gu, "");
}

type Forms = {
  readonly party: (party: DemoParty) => RelatedParty;
  readonly agent: (party: DemoParty) => FinancialInstitution;
};

function relatedSides({ debtor, creditor }: Sides, { party, agent }: Forms): RelatedSides {
  return {
    relatedParties: {
      debtor: party(debtor),
      debtorAccount: accountOf(debtor),
      creditor: party(creditor),
      creditorAccount: accountOf(creditor),
    },
    relatedAgents: {
      debtorAgent: { financialInstitutionIdentification: agent(debtor) },
      creditorAgent: { financialInstitutionIdentification: agent(creditor) },
    },
  };
}

function addressedParty({ name, address }: DemoParty): RelatedParty {
  if (address === undefined) return { name: withoutDiacritics(name) };
  const addressLine = (address.addressLine ?? []).map(withoutDiacritics);
  return { name: withoutDiacritics(name), postalAddress: { ...address, addressLine } };
}

function accountOf({ account }: DemoParty): RelatedAccount {
  if (account === undefined) throw new TypeError("a party to a payment has an account");
  return { identification: account };
}
