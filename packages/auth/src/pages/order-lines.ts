import {
  findCzechIbanParts,
  type Iban,
  parseIban,
  presentCzechAccountNumber,
  presentIban,
} from "@cobs/cobs-model";
import type { OrderTexts } from "../signing/order.ts";
import { ORDER_MEMBERS, type OrderMember } from "../signing/order-members.ts";
import type { Texts } from "./texts/texts.ts";

/** One line of an order, as a person reads it. */
export interface OrderLine {
  readonly name: string;
  readonly label: string;
  readonly value: string;
  /** The same value in another form, such as a Czech account number. */
  readonly note: string | undefined;
  /** Whether the value is the order's own text, which no browser may translate; other values are our words. */
  readonly isExact: boolean;
}

type Words = Pick<Texts, "phrases" | "locale">;

/** A member with its own line; a currency stands on the line of its amount. */
type Lined = Exclude<OrderMember, "currency" | "feeCurrency">;
const LINED = ORDER_MEMBERS.filter(
  (member): member is Lined => member !== "currency" && member !== "feeCurrency",
);

/** Members that are shown in our words. */
const IN_WORDS: readonly OrderMember[] = ["executionDate", "priority", "chargeBearer"];

/** The reference that means that there is none (ISO 20022). */
const NO_REFERENCE = "NOTPROVIDED";

/**
 * Presents every member of an order on its own line, in words if it is a code and otherwise as ordered: nothing is cut, rounded
 * or left out (RTS Article 5(1)(a)). A payer's reference that says that there is none has no line.
 */
export function orderLines(order: OrderTexts, words: Words): readonly OrderLine[] {
  return LINED.flatMap((member) => {
    const text = order[member];
    if (text === undefined && member !== "executionDate") return [];
    if (member === "endToEndIdentification" && text === NO_REFERENCE) return [];
    const shown = text === undefined ? words.phrases.order_soon : present(member, text, { order, words });
    const label = words.phrases[`order_${member}`];
    const isExact = !IN_WORDS.includes(member);
    return [{ name: member, label, value: shown, note: noteOf(member, text), isExact }];
  });
}

function present(
  member: OrderMember,
  text: string,
  { order, words }: { readonly order: OrderTexts; readonly words: Words },
): string {
  switch (member) {
    case "amount":
      return presentMoney(text, order.currency, words.locale);
    case "fee":
      return presentMoney(text, order.feeCurrency ?? "", words.locale);
    case "creditorIban":
    case "debtorIban":
      return presentIban(parseIban(text));
    case "executionDate":
      return presentDate(text, words.locale);
    case "priority":
    case "chargeBearer":
      return inWords(`order_${member}_${text}`, words) ?? text;
    default:
      return text;
  }
}

function inWords(key: string, { phrases }: Words): string | undefined {
  const words: Readonly<Partial<Record<string, string>>> = phrases;
  return words[key];
}

/**
 * Presents an amount with its whole units grouped as the language writes them; every digit is the order's. A line that is too
 * short breaks before the currency, so that nobody reads one number as two.
 */
export function presentMoney(amount: string, currency: string, locale: string): string {
  const [whole = "", decimals = ""] = amount.split(".");
  const grouped = new Intl.NumberFormat(locale).format(BigInt(whole));
  const separator = new Intl.NumberFormat(locale).formatToParts(0.5).find(({ type }) => type === "decimal");
  return `${grouped}${separator?.value ?? "."}${decimals} ${currency}`;
}

/**
 * The account of the payee in one line, for a message. A number is only the TPP's claim and names nothing without its bank. So
 * the bank's BIC stands before it, where nothing in the number can hide it.
 */
export function presentCreditorAccount({ creditorIban, creditorBic, creditorNumber }: OrderTexts): string {
  if (creditorIban !== undefined) return presentIban(parseIban(creditorIban));
  return joinTexts(" ", creditorBic, creditorNumber);
}

/**
 * The payee in one line, for a message. It includes their bank, in the TPP's words, when no code names it beside their account.
 */
export function presentPayee({
  creditorName,
  creditorIban,
  creditorBic,
  creditorBank,
}: OrderTexts): string | undefined {
  const isNamed = creditorIban !== undefined || creditorBic !== undefined;
  return joinTexts(", ", creditorName, isNamed ? undefined : creditorBank) || undefined;
}

function joinTexts(between: string, ...texts: readonly (string | undefined)[]): string {
  return texts.filter((text) => text !== undefined).join(between);
}

function presentDate(date: string, locale: string): string {
  const format = new Intl.DateTimeFormat(locale, { dateStyle: "full", timeZone: "UTC" });
  return bound(format.format(new Date(`${date}T00:00:00Z`)));
}

/** Spaces after the number of a day or of days, and before a time of day. */
const BOUND = /(?<=(?<!\d)\d{1,3}\.?) | (?=\d{1,2}:)/g;

/** Keeps a date on one line, except before its year, as ČSN 01 6910 has it: in large letters it needs two lines. */
export function bound(date: string): string {
  return date.replaceAll(BOUND, "\u00a0");
}

function noteOf(member: OrderMember, text: string | undefined): string | undefined {
  if (text === undefined || (member !== "creditorIban" && member !== "debtorIban")) return undefined;
  return czechNumber(parseIban(text));
}

function czechNumber(iban: Iban): string | undefined {
  const parts = findCzechIbanParts(iban);
  return parts && presentCzechAccountNumber(parts.number, parts.bankCode);
}
