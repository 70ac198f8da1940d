import type { FinancialInstitution, Iban, PostalAddress, RelatedAccount } from "@cobs/cobs-model";
import { czechIbanOf, foreignIbanOf } from "./account-numbers.ts";
import { openRandom, pickDigits } from "./random.ts";

/** Somebody whom the demo bank's PSUs pay or are paid by; of a merchant or a cash machine the name alone is known. */
export type DemoParty = {
  readonly name: string;
  readonly account?: RelatedAccount["identification"];
  /** Of a bank in the Czech list of bank codes. */
  readonly bankCode?: string;
  /** As payments across borders name the bank. */
  readonly agent?: FinancialInstitution;
  readonly address?: PostalAddress;
  /** Under which a payee collects SEPA direct debits. */
  readonly creditorIdentifier?: string;
};

/** Table: banks that Czech parties are with. */
const BICS: Readonly<Record<string, string>> = {
  "0100": "KOMBCZPP",
  "0300": "CEKOCZPP",
  "0710": "CNBACZPP",
  "0800": "GIBACZPX",
  "2010": "FIOBCZPP",
  "5500": "RZBCCZPP",
};

const FOREIGN_BANKS = {
  AT: "TESTATWW",
  DE: "TESTDEFF",
  GB: "TESTGB2L",
  PL: "TESTPLPW",
  SK: "TESTSKBX",
} as const;

/** Somebody at a Czech bank. */
export function czech(name: string, bankCode: string): DemoParty {
  return withIban(name, czechIbanOf(name, bankCode), { bankCode, bic: BICS[bankCode] ?? "" });
}

/** Somebody in another country of Europe; the address has a line for the street and one for the town. */
export function european(
  name: string,
  country: keyof typeof FOREIGN_BANKS,
  addressLine: readonly string[],
): DemoParty {
  const party = withIban(name, foreignIbanOf(name, country), { bic: FOREIGN_BANKS[country] });
  const creditorIdentifier = `${country}98ZZZ${pickDigits(openRandom(`creditor ${name}`), 11)}`;
  return { ...party, address: { country, addressLine }, creditorIdentifier };
}

/** Somebody whose account has no IBAN, at a bank that is named as given. */
export function overseas(name: string, agent: FinancialInstitution, address: PostalAddress): DemoParty {
  const identification = pickDigits(openRandom(`party ${name}`), 12);
  return { name, account: { other: { identification } }, agent, address };
}

/** Merchants and cash machines. */
export function places(...names: readonly string[]): readonly DemoParty[] {
  return names.map((name) => ({ name }));
}

/** Somebody at a bank with a BIC, and a bank code where it is Czech. */
export function withIban(
  name: string,
  iban: Iban,
  { bankCode, bic }: { readonly bankCode?: string; readonly bic: string },
): DemoParty {
  return { name, account: { iban }, agent: { bic }, ...(bankCode === undefined ? {} : { bankCode }) };
}
