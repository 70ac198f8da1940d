import type {
  FinancialInstitution,
  Iban,
  PostalAddress,
  RelatedAccount,
  RelatedParty,
} from "@cobs/cobs-model";
import { czechIbanOf, foreignIbanOf } from "./account-numbers.ts";
import { makeCreditorIdentifier } from "./creditor-identifier.ts";
import { openRandom, pickDigits } from "./random.ts";

/** How a transaction names a party, its account and its bank. */
export type PartyForm = {
  readonly party: RelatedParty;
  readonly account: RelatedAccount;
  readonly agent: { readonly financialInstitutionIdentification: FinancialInstitution };
};

/** A party that pays the demo bank's PSUs or is paid by them; of a merchant or a cash machine only the name is known. */
export type DemoParty = {
  readonly name: string;
  /** Form for domestic payments, with the bank's Czech code. */
  readonly domestic?: PartyForm;
  /** Form for SEPA and foreign payments, in the characters that banks pass on across borders (COBS 3.1.1). */
  readonly abroad?: PartyForm;
  /** Identifier under which a payee collects SEPA direct debits. */
  readonly creditorIdentifier?: string;
};

/** Table: BICs of the Czech parties' banks. */
const BICS = {
  "0100": "KOMBCZPP",
  "0300": "CEKOCZPP",
  "0710": "CNBACZPP",
  "0800": "GIBACZPX",
  "2010": "FIOBCZPP",
  "5500": "RZBCCZPP",
} as const;

const FOREIGN_BANKS = {
  AT: "TESTATWW",
  DE: "TESTDEFF",
  GB: "TESTGB2L",
  PL: "TESTPLPW",
  SK: "TESTSKBX",
} as const;

/** A party at a Czech bank. */
export function czech(name: string, bankCode: keyof typeof BICS): DemoParty {
  return czechParty(name, czechIbanOf(name, bankCode), { bankCode, bic: BICS[bankCode] });
}

/** A party with an account at a bank that has a Czech code and a BIC. */
export function czechParty(
  name: string,
  iban: Iban,
  {
    bankCode,
    bic,
    address,
  }: { readonly bankCode: string; readonly bic: string; readonly address?: PostalAddress },
): DemoParty {
  const account = { identification: { iban } };
  const agent = { financialInstitutionIdentification: { other: { identification: bankCode } } };
  const abroad = { party: addressed(name, address), account, agent: agentOf({ bic }) };
  return { name, domestic: { party: { name }, account, agent }, abroad };
}

/** A party in another European country; the address has a line for the street and one for the town. */
export function european(
  name: string,
  country: keyof typeof FOREIGN_BANKS,
  addressLine: readonly string[],
): DemoParty {
  const account = { identification: { iban: foreignIbanOf(name, country) } };
  const party = addressed(name, { country, addressLine });
  const creditorIdentifier = makeCreditorIdentifier(country, pickDigits(openRandom(`creditor ${name}`), 11));
  return {
    name,
    abroad: { party, account, agent: agentOf({ bic: FOREIGN_BANKS[country] }) },
    creditorIdentifier,
  };
}

/** A party whose account has no IBAN, at the given bank. */
export function overseas(name: string, bank: FinancialInstitution, address: PostalAddress): DemoParty {
  const identification = { other: { identification: pickDigits(openRandom(`party ${name}`), 12) } };
  const account = { identification };
  return { name, abroad: { party: addressed(name, address), account, agent: agentOf(bank) } };
}

/** Merchants and cash machines. */
export function places(...names: readonly string[]): readonly DemoParty[] {
  return names.map((name) => ({ name }));
}

/** Reduces a text to the characters that banks pass on across borders (COBS 3.1.1). */
export function withoutDiacritics(text: string): string {
  return text.normalize("NFD").replace(/\p{Mn}/gu, "");
}

function addressed(name: string, address: PostalAddress | undefined): RelatedParty {
  if (address === undefined) return { name: withoutDiacritics(name) };
  const addressLine = (address.addressLine ?? []).map(withoutDiacritics);
  return { name: withoutDiacritics(name), postalAddress: { ...address, addressLine } };
}

function agentOf(financialInstitutionIdentification: FinancialInstitution): PartyForm["agent"] {
  return { financialInstitutionIdentification };
}
