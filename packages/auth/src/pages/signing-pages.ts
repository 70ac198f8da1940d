import type { Language } from "@cobs/cobs-model";
import type { OrderTexts } from "../signing/order.ts";
import { displayText, withoutQuotes } from "./display-text.ts";
import { orderLines, presentCreditorAccount, presentMoney, presentPayee } from "./order-lines.ts";
import type { PageWords } from "./page-words.ts";
import { presentAsking } from "./present-asking.ts";
import type { InboxView, OrderView, OutcomeView } from "./signing-view.ts";
import { fillText, type Texts } from "./texts/texts.ts";

/** What the page of an order shows besides its frame. */
export function presentOrder(view: OrderView, words: PageWords) {
  const { texts, writeDate, writeHour } = words;
  return {
    ...view,
    asking: presentAsking(view.asking, words),
    // What was wrong is kept when the language is switched; a typed code is not.
    switchForm: view.faults.length === 0 ? undefined : { id: "language", ...view.switchLanguage },
    title: texts.phrases.order_title,
    done: view.hasNewCode ? texts.phrases.done_code_sent : undefined,
    lines: orderLines(view.order, texts).map((line) =>
      line.name === "amount" ? { ...line, note: exchangeNote(view, texts) } : line,
    ),
    waitUntil: { date: writeDate(view.waitUntil), time: writeHour(view.waitUntil) },
    needsPasskey: view.codeStanding === "none_left",
    codeHint: view.codeStanding === "sent" ? texts.phrases.bound_code_hint : undefined,
  };
}

/** What the PSU should know of the amount before approving it: the bank sets the rate, and no order names it. */
function exchangeNote({ exchange, order }: OrderView, { phrases }: Texts): string | undefined {
  if (exchange === "none") return undefined;
  return fillText(phrases[`order_exchange_${exchange}`], { currency: order.currency });
}

/** What the page of an outcome shows besides its frame. */
export function presentOutcome(view: OutcomeView, { texts, writeMoment, writeEnd }: PageWords) {
  const { title, lead, advice } = texts.messages[view.message];
  const { psuName, time } = view;
  const fillings = {
    ...(psuName !== undefined && { name: displayText(psuName) }),
    ...(time !== undefined && { time: writeEnd(time) }),
  };
  const fill = (text: string) => fillText(text, fillings);
  return {
    ...view,
    title,
    lead: fill(lead),
    advice: advice.map(fill),
    lines: view.order && orderLines(view.order, texts),
    decidedAt: view.decidedAt && writeMoment(view.decidedAt),
  };
}

/** What the sandbox's inbox shows besides its frame. */
export function presentInbox({ messages }: InboxView, { texts, writeMoment }: PageWords) {
  return {
    title: texts.phrases.inbox_title,
    messages: messages.map(({ text, deliveredAt }) => ({ text, time: writeMoment(deliveredAt) })),
  };
}

/** Groups of digits that can be read at a glance. */
const GROUP = /(\d{4})(?=\d)/g;
/**
 * Writes the text that carries a code. It contains the amount and the payee (RTS Article 5(1)(a)), and always the account,
 * because a name is only what the TPP wrote. A stranger's words stand last and between quotes. So no account in a name comes
 * before the real one, and letters that run from right to left cannot move the amount or the account.
 */
export function writeCodeText(
  { code, order, bankName }: { readonly code: string; readonly order: OrderTexts; readonly bankName: string },
  texts: Texts,
): string {
  const payee = presentPayee(order);
  const amount = presentMoney(order.amount, order.currency, texts.locale).replaceAll(" ", "\u00a0");
  const account = presentCreditorAccount(order);
  const shared = { bank: bankName, code: code.replace(GROUP, "$1 "), amount, account };
  const { bound_code_text: named, bound_code_text_account: unnamed } = texts.phrases;
  return payee === undefined
    ? fillText(unnamed, shared)
    : fillText(named, { ...shared, payee: withoutQuotes(payee) });
}

/** Writes the text that carries the code of an order, in a language. */
export type WriteCodeText = (code: string, order: OrderTexts, language: Language) => string;
