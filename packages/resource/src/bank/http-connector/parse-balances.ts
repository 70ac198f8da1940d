import {
  BALANCE_TYPES,
  type Balance,
  type CurrencyCode,
  isDateOrTime,
  type Money,
  parseCurrencyCode,
  parseDecimal,
} from "@cobs/cobs-model";
import {
  refuse,
  requireBoolean,
  requireEachOnce,
  requireList,
  requireObject,
  requireOneOf,
  requireOrNull,
  UnbelievableAnswer,
} from "./json-members.ts";

/** Room for every kind of balance in fifty currencies. */
const MAX_BALANCES = 200;

/**
 * Reads the balances of an account, those of its main currency first. There must be at least one, each kind once per currency,
 * all in the wanted currency if one was asked for. Which currencies the account has is not verified, because only the answer
 * tells. Throws `UnbelievableAnswer` or a `ContentRefusal`.
 */
export function parseBalances(value: unknown, wanted: CurrencyCode | undefined): readonly Balance[] {
  const { balances } = requireObject(value, "answer");
  const read = requireList(balances, { path: "balances", most: MAX_BALANCES }, parseBalance);
  if (read.length === 0) throw new UnbelievableAnswer("balances is empty");
  requireEachOnce(
    read.map(({ type, amount }) => `${type} ${amount.currency}`),
    (place) => `balances[${place}] repeats a type of an earlier one in its currency`,
  );
  const place = read.findIndex(({ amount }) => wanted !== undefined && amount.currency !== wanted);
  if (place !== -1)
    throw new UnbelievableAnswer(`balances[${place}].amount.currency was not asked for`, { clause: "4.2" });
  requireMainFirst(read);
  return read;
}

/** Requires that balances in the main currency, which is that of the first, all come before the others. */
function requireMainFirst(balances: readonly Balance[]): void {
  const main = balances[0]?.amount.currency;
  const other = balances.findIndex(({ amount }) => amount.currency !== main);
  const last = balances.findLastIndex(({ amount }) => amount.currency === main);
  if (other === -1 || last < other) return;
  throw new UnbelievableAnswer(`balances[${last}] is in the main currency, but comes after one in another`);
}

function parseBalance(value: unknown, path: string): Balance {
  const { type, amount, creditLine, at } = requireObject(value, path);
  const money = parseMoney(amount, `${path}.amount`);
  return {
    type: requireOneOf(type, `${path}.type`, BALANCE_TYPES),
    amount: money,
    creditLine: requireOrNull(creditLine, `${path}.creditLine`, (line, where) =>
      parseCreditLine(line, where, money.currency),
    ),
    at: parseTime(at, `${path}.at`),
  };
}

/** Reads an agreed overdraft, which is never negative and in the currency of its balance. */
function parseCreditLine(value: unknown, path: string, currency: CurrencyCode): Balance["creditLine"] {
  const line = requireObject(value, path);
  const amount = parseMoney(line.amount, `${path}.amount`);
  if (amount.minor < 0n || amount.currency !== currency)
    throw new UnbelievableAnswer(
      `${path}.amount must not be negative, and must have the currency of its balance`,
    );
  return { included: requireBoolean(line.included, `${path}.included`), amount };
}

function parseMoney(value: unknown, path: string): Money {
  const amount = requireObject(value, path);
  const currency = parseCurrencyCode(amount.currency, `${path}.currency`);
  const text = typeof amount.value === "string" ? amount.value : "";
  const unsigned = parseDecimal(text.replace(/^-/, ""), currency);
  if (unsigned === undefined)
    refuse(
      amount.value,
      `${path}.value`,
      "must be text, a decimal number of at most 29 digits with no more decimals than its currency has",
    );
  return { minor: text.startsWith("-") ? -unsigned : unsigned, currency };
}

function parseTime(value: unknown, path: string): string {
  if (typeof value === "string" && isDateOrTime(value)) return value;
  refuse(value, path, "must be a date, or a date and time with an offset");
}
