import {
  type CzechAccountNumber,
  findCzechAccountNumber,
  type Iban,
  makeCzechIban,
  makeIban,
} from "@cobs/cobs-model";
import { openRandom, pickDigits, type Random } from "./random.ts";

/** Table: how the national part of an IBAN begins in each country, and how many digits follow. */
const NATIONAL = {
  AT: { bank: "", digits: 16 },
  DE: { bank: "", digits: 18 },
  GB: { bank: "TEST", digits: 14 },
  PL: { bank: "", digits: 24 },
  SK: { bank: "", digits: 20 },
} as const;

/** The demo bank, under a bank code that no real bank has. */
export const DEMO_SERVICER = { bankCode: "9900", countryCode: "CZ", bic: "TESTCZPP" } as const;

/** Draws a Czech account number without a prefix that passes the checksum of Decree 169/2011 Coll. */
export function drawAccountNumber(random: Random): CzechAccountNumber {
  for (;;) {
    const lead = `2${pickDigits(random, 8)}`;
    for (let check = 0; check <= 9; check += 1) {
      const number = findCzechAccountNumber({ prefix: "", base: `${lead}${check}` });
      if (number !== undefined) return number;
    }
  }
}

/** The IBAN of a party at a Czech bank, the same each time for a name and a bank. */
export function czechIbanOf(name: string, bankCode: string): Iban {
  return makeCzechIban(bankCode, drawAccountNumber(openRandom(`party ${name} ${bankCode}`)));
}

/** The IBAN of a party abroad, the same each time for a name. */
export function foreignIbanOf(name: string, country: keyof typeof NATIONAL): Iban {
  const { bank, digits } = NATIONAL[country];
  return makeIban(country, `${bank}${pickDigits(openRandom(`party ${name} ${country}`), digits)}`);
}
