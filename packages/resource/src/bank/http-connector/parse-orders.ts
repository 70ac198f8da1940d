/**
 * Reads a core system's answers about orders; each function throws `UnbelievableAnswer` or a `ContentRefusal` for anything
 * else.
 */
import {
  type BankTerms,
  decimalsOf,
  type Fault,
  INSTRUCTION_PRIORITIES,
  type InstructionPriority,
  type Money,
  type PaymentOrder,
  type PaymentType,
  parseCurrencyCode,
} from "@cobs/cobs-model";
import { FUNDS_FAULTS, ORDER_FAULTS, payeeFault } from "../order-faults.ts";
import {
  type FundsAnswer,
  type FundsQuestion,
  ORDER_REJECTIONS,
  type OrderInspection,
  type OrderOutcome,
  type OrderProgress,
  type OrderToInspect,
  type RejectedOrder,
} from "../orders.ts";
import {
  type JsonObject,
  refuse,
  requireAccountId,
  requireBoolean,
  requireCount,
  requireList,
  requireObject,
  requireOneOf,
  requireOrNull,
  UnbelievableAnswer,
} from "./json-members.ts";
import { readCoreAmount } from "./order-json.ts";

const MAX_CURRENCIES = 200;
const MAX_DAYS_AHEAD = 3_650;
const MAX_FAULTS = 10;
const SHOWN_DECIMALS = 2;
const MAX_DIGITS = 15;
/** The form of a text, and the message for one without it. */
type Form = { readonly pattern: RegExp; readonly otherwise: string };
const TIME: Form = {
  pattern: /^(?:[01]\d|2[0-3]):[0-5]\d$/,
  otherwise: "must be a time of day (hh:mm)",
};
const BANK_CODE: Form = { pattern: /^\d{4}$/, otherwise: "must be four digits" };

/** Reads what the bank executes. */
export function parseTerms(value: unknown): BankTerms {
  const terms = requireObject(value, "answer");
  const priorities = requireObject(terms.priorities, "priorities");
  const cutOff = requireObject(terms.cutOff, "cutOff");
  const maxDaysAhead = requireCount(terms.maxDaysAhead, "maxDaysAhead");
  if (maxDaysAhead > MAX_DAYS_AHEAD) throw new UnbelievableAnswer("maxDaysAhead is more than ten years");
  return {
    bankCode: readForm(terms.bankCode, "bankCode", BANK_CODE),
    currencies: requireList(terms.currencies, { path: "currencies", most: MAX_CURRENCIES }, (each, path) =>
      parseCurrencyCode(each, path),
    ),
    priorities: ofEachType((type) => readPriorities(priorities[type], `priorities.${type}`)),
    maxDaysAhead,
    cutOff: ofEachType((type) => readTimes(cutOff[type], `cutOff.${type}`)),
  };
}

function ofEachType<T>(read: (type: PaymentType) => T): Readonly<Record<PaymentType, T>> {
  return {
    domestic: read("domestic"),
    sepa: read("sepa"),
    "inside-eea": read("inside-eea"),
    "outside-eea": read("outside-eea"),
  };
}

function readPriorities(value: unknown, path: string): readonly InstructionPriority[] {
  return requireList(value, { path, most: INSTRUCTION_PRIORITIES.length }, (each, at) =>
    requireOneOf(each, at, INSTRUCTION_PRIORITIES),
  );
}

function readTimes(value: unknown, path: string) {
  const { NORM, HIGH } = requireObject(value, path);
  return { NORM: readForm(NORM, `${path}.NORM`, TIME), HIGH: readForm(HIGH, `${path}.HIGH`, TIME) };
}

function readForm(value: unknown, path: string, { pattern, otherwise }: Form): string {
  if (typeof value === "string" && pattern.test(value)) return value;
  refuse(value, path, otherwise);
}

/** The faults that an answer may tell, except the one about a currency where the question names none. */
interface KnownFaults {
  readonly faults: Readonly<Record<string, Fault>>;
  readonly barred: string | undefined;
}

/** Faults that the core system may find in this order; AC10 only where the order names a currency of the payer's account. */
function faultsOf(order: PaymentOrder): KnownFaults {
  const barred = order.debtorAccount.currency === undefined ? "AC10" : undefined;
  return { faults: { ...ORDER_FAULTS, AC03: payeeFault(order) }, barred };
}

function readFault(value: unknown, path: string, { faults, barred }: KnownFaults): Fault {
  if (barred !== undefined && value === barred)
    throw new UnbelievableAnswer(`${path} must not be ${barred}, because the question names no currency`);
  const words = Object.keys(faults).filter((code) => code !== barred);
  const fault = faults[requireOneOf(value, path, words)];
  if (fault === undefined) throw new UnbelievableAnswer(`${path} is not known`);
  return fault;
}

/**
 * Reads the bank's faults in an order, and which account pays. It must be among `accounts`, if these are given. The charge is
 * in the currency that the order names for the account, if it names one.
 */
export function parseInspection(
  value: unknown,
  { accounts: payable, order }: Pick<OrderToInspect, "accounts" | "order">,
): OrderInspection {
  const known = faultsOf(order);
  const answer = requireObject(value, "answer");
  const account = requireOrNull(answer.accountId, "accountId", requireAccountId) ?? undefined;
  const fee = requireOrNull(answer.fee, "fee", readFee) ?? undefined;
  const told = requireList(answer.faults, { path: "faults", most: MAX_FAULTS }, (each, path) =>
    readFault(each, path, known),
  );
  // Drops faults that the core system repeats.
  const faults = [...new Set(told)];
  if (account === undefined && !faults.some(({ code }) => code === "AC02"))
    throw new UnbelievableAnswer("accountId is null, but faults have no AC02");
  if (account !== undefined && payable?.includes(account) === false)
    throw new UnbelievableAnswer("accountId is not one of accountIds");
  const { currency = fee?.currency } = order.debtorAccount;
  if (faults.length === 0 && fee?.currency !== undefined && fee.currency !== currency)
    throw new UnbelievableAnswer("fee.currency is not that of debtorAccount");
  return { account, fee, faults };
}

/** Reads a charge, which the PSU sees like the amount: two decimals, at most fifteen digits before them (COBS 3.2.4.1). */
function readFee(value: unknown, path: string): Money {
  const fee = readCoreAmount(value, path);
  const decimals = decimalsOf(fee.currency);
  const unseen = 10n ** BigInt(Math.max(decimals - SHOWN_DECIMALS, 0));
  if (fee.minor % unseen === 0n && fee.minor < 10n ** BigInt(MAX_DIGITS + decimals)) return fee;
  throw new UnbelievableAnswer(
    `${path} must have at most two decimals, and at most fifteen digits before them`,
  );
}

/** Reads whether an order was taken. */
export function parseOutcome(value: unknown): OrderOutcome {
  const answer = requireObject(value, "answer");
  const outcome = requireOneOf(answer.outcome, "outcome", ["accepted", "rejected"]);
  return outcome === "accepted" ? { outcome } : { outcome, ...readRejection(answer) };
}

/** Reads how far an order has come. */
export function parseProgress(value: unknown): OrderProgress {
  const answer = requireObject(value, "answer");
  const state = requireOneOf(answer.state, "state", ["unknown", "accepted", "completed", "rejected"]);
  if (state === "rejected") return { state, ...readRejection(answer) };
  if (state !== "completed") return { state };
  return { state, entryReference: findReference(answer.entryReference) };
}

/** Believes a rejection with any reason: otherwise the payment would never end. */
function readRejection({ reason }: JsonObject): RejectedOrder {
  const known = ORDER_REJECTIONS.find((each) => each === reason);
  return known === undefined ? { reason: "other", ownWord: readWord(reason) } : { reason: known };
}

/** Believes a completed order whatever its transaction's reference is; one that cannot be kept counts as unknown. */
function findReference(value: unknown): string | undefined {
  return typeof value === "string" && REFERENCE.test(value) ? value : undefined;
}

/** 1 to 35 letters, digits, signs and spaces; no control characters or unpaired surrogates. */
const REFERENCE = /^[\p{L}\p{M}\p{N}\p{P}\p{S}\p{Zs}]{1,35}$/u;

/**
 * Gives a reason that is a code, which may be logged. A sentence, or text that may be somebody's account or name, may not.
 */
function readWord(value: unknown): string {
  if (value === undefined || value === null) return "(none)";
  const isCode = typeof value === "string" && CODE.test(value) && !ACCOUNT_LIKE.test(value);
  return isCode ? value : "(not a code)";
}

const CODE = /^[A-Za-z][A-Za-z0-9_.-]{0,39}$/;
const ACCOUNT_LIKE = /\d{6}/;

/** Faults that a question for funds may get; AC09 only where it names a currency of the account. */
function faultsOfQuestion({ currency }: Pick<FundsQuestion, "currency">): KnownFaults {
  return { faults: FUNDS_FAULTS, barred: currency === undefined ? "AC09" : undefined };
}

/** Reads yes or no for one of the accounts the answer may be about, or the fault. */
export function parseFunds(
  value: unknown,
  question: Pick<FundsQuestion, "accounts" | "currency">,
): FundsAnswer {
  const known = faultsOfQuestion(question);
  const answer = requireObject(value, "answer");
  const account = requireOrNull(answer.accountId, "accountId", requireAccountId);
  const enough = requireOrNull(answer.enough, "enough", requireBoolean);
  const fault = requireOrNull(answer.fault, "fault", (each, path) => readFault(each, path, known));
  if (fault !== null) {
    if (enough !== null || account !== null)
      throw new UnbelievableAnswer("fault is given together with enough or accountId");
    return { known: false, fault };
  }
  if (enough === null) throw new UnbelievableAnswer("enough and fault are both null");
  if (account === null) throw new UnbelievableAnswer("accountId is null, but enough is not");
  if (!question.accounts.includes(account))
    throw new UnbelievableAnswer("accountId is not one of accountIds");
  return { known: true, account, enough };
}
