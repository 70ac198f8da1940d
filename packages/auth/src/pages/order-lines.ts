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
  /** The same in another form, such as the number of a Czech account. */
  readonly note: string | undefined;
  /** Whether the value is the order's own, which no browser may translate; others are words of ours. */
  readonly isExact: boolean;
}

type Words = Pick<Texts, "phrases" | "locale">;

/** A member with a line of its own: a currency stands in that of its amount. */
type Lined = Exclude<OrderMember, "currency" | "feeCurrency">;
const LINED = ORDER_MEMBERS.filter(
  (member): member is Lined => member !== "currency" && member !== "feeCurrency",
);

/** Members that are told in words of ours. */
const IN_WORDS: readonly OrderMember[] = ["executionDate", "priority", "chargeBearer"];

/** What says of a reference that there is none (ISO 20022). */
const NO_REFERENCE = "NOTPROVIDED";

/**
 * Every member of an order on a line of its own, in words where it is a code and as it was ordered otherwise: nothing is
 * cut, rounded or left out (RTS Article 5(1)(a)). A reference of the payer that says that there is none has no line.
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
 * Whole units grouped as the language writes them; every digit is one of the order. A line that is too short for all of it
 * ends before the currency, and no figure is read as two.
 */
export function presentMoney(amount: string, currency: string, locale: string): string {
  const [whole = "", decimals = ""] = amount.split(".");
  const grouped = new Intl.NumberFormat(locale).format(BigInt(whole));
  const separator = new Intl.NumberFormat(locale).formatToParts(0.5).find(({ type }) => type === "decimal");
  return `${grouped}${separator?.value ?? "."}${decimals} ${currency}`;
}

/**
 * The account of the payee in one line, for a message. A number is the TPP's word and names nothing without its bank, whose BIC
 * stands before it: nothing in the number can hide that.
 */
export function presentCreditorAccount({ creditorIban, creditorBic, creditorNumber }: OrderTexts): string {
  if (creditorIban !== undefined) return presentIban(parseIban(creditorIban));
  return joinTexts(" ", creditorBic, creditorNumber);
}

/** The payee in one line, for a message; with their bank, in the TPP's words, where no code names it beside their account. */
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

/** After the number of a day or of days, and before a time of day. */
const BOUND = /(?<=(?<!\d)\d{1,3}\.?) | (?=\d{1,2}:)/g;

/** A date that no end of a line takes apart but before its year, as ČSN 01 6910 has it: in large letters it needs two lines. */
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
