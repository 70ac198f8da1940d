import {
  type Account,
  findBic,
  findCountryCode,
  findCzechIbanParts,
  isWithin,
  type Localized,
  parseCurrencyCode,
  parseCzechAccountNumber,
  parseIban,
  type Servicer,
} from "@cobs/cobs-model";
import {
  refuse,
  requireAccountId,
  requireEachOnce,
  requireList,
  requireObject,
  requireOrNull,
  requireParsed,
  UnbelievableAnswer,
} from "./json-members.ts";
import { tellableText } from "./tellable-texts.ts";

/** Most accounts of one PSU: the core system's list has no pages. */
const MAX_ACCOUNTS = 1_000;

const MAX_NAME_LENGTH = 140;
const BANK_CODE = /^\d{4}$/;

const requireIban = requireParsed(
  parseIban,
  "must be an IBAN in capital letters, without spaces, with the right check digits",
);
const requireNumber = requireParsed(
  parseCzechAccountNumber,
  "must be text, an account number without its bank code, prefix-base, with the right check digits",
);

/** Reads all accounts of a PSU in the order of the answer; throws `UnbelievableAnswer` or a `ContentRefusal`. */
export function parseAccounts(value: unknown): readonly Account[] {
  const { accounts } = requireObject(value, "answer");
  const read = requireList(accounts, { path: "accounts", most: MAX_ACCOUNTS }, parseAccount);
  requireEachOnce(
    read.map(({ id }) => id),
    (place) => `accounts[${place}].id is that of an earlier account`,
  );
  return read;
}

function parseAccount(value: unknown, path: string): Account {
  const account = requireObject(value, path);
  const id = requireAccountId(account.id, `${path}.id`);
  const iban = requireIban(account.iban, `${path}.iban`);
  const number = requireOrNull(account.number, `${path}.number`, requireNumber);
  // TPPs, logs and auth see ids, and must not see account numbers.
  if ([iban, number, account.number].includes(id))
    throw new UnbelievableAnswer(`${path}.id must not be its IBAN or its number`);
  const servicer = parseServicer(account.servicer, `${path}.servicer`);
  requireAsInIban({ iban, number, servicer }, path);
  return {
    id,
    iban,
    number,
    currency: parseCurrencyCode(account.currency, `${path}.currency`),
    servicer,
    names: requireOrNull(account.names, `${path}.names`, parseLocalized),
    products: requireOrNull(account.products, `${path}.products`, parseLocalized),
  };
}

/**
 * Requires a number and a bank code that are those in a Czech IBAN (COBS PDF 4.9.1.1), if they are known: a payment to either
 * must reach the same account.
 */
function requireAsInIban(
  { iban, number, servicer: { bankCode } }: Pick<Account, "iban" | "number" | "servicer">,
  path: string,
): void {
  const parts = findCzechIbanParts(iban);
  if (parts === undefined) return;
  if (number !== null && number !== parts.number)
    throw new UnbelievableAnswer(`${path}.number is not the one in its IBAN`);
  if (bankCode !== null && bankCode !== parts.bankCode)
    throw new UnbelievableAnswer(`${path}.servicer.bankCode is not the one in its IBAN`);
}

/** Reads the servicer, of which at least one member is known (COBS 3.1.3). */
function parseServicer(value: unknown, path: string): Servicer {
  const { bankCode, countryCode, bic } = requireObject(value, path);
  const servicer = {
    bankCode: requireOrNull(bankCode, `${path}.bankCode`, requireForm(findBankCode, "must be four digits")),
    countryCode: requireOrNull(
      countryCode,
      `${path}.countryCode`,
      requireForm(findCountryCode, "must be an assigned country code of two capital letters"),
    ),
    bic: requireOrNull(bic, `${path}.bic`, requireForm(findBic, "must be a BIC in capital letters")),
  };
  if (Object.values(servicer).some((member) => member !== null)) return servicer;
  throw new UnbelievableAnswer(`${path} must have a member that is not null`);
}

/**
 * Reads names in both languages. A missing language gets the text of the other; an empty or blank name in both means none (PDF
 * 1.2.3).
 */
function parseLocalized(value: unknown, path: string): Localized | null {
  const names = requireObject(value, path);
  const cs = readName(names.cs, `${path}.cs`);
  const en = readName(names.en, `${path}.en`);
  return cs === "" && en === "" ? null : { cs: cs || en, en: en || cs };
}

/** Cleans a name like the texts of transactions: PSUs read it among our own words, and choose by it what they share. */
function readName(value: unknown, path: string): string {
  if (typeof value !== "string" || !isWithin(value, MAX_NAME_LENGTH))
    refuse(value, path, `must be text of at most ${MAX_NAME_LENGTH} characters`);
  const name = tellableText(value);
  return name.trim() === "" ? "" : name;
}

function findBankCode(value: unknown): string | undefined {
  return typeof value === "string" && BANK_CODE.test(value) ? value : undefined;
}

function requireForm(find: (value: unknown) => string | undefined, otherwise: string) {
  return (value: unknown, path: string): string => {
    const found = find(value);
    if (found !== undefined) return found;
    refuse(value, path, otherwise);
  };
}
