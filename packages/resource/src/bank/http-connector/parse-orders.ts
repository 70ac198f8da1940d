/** Reads what a core system says of orders; each throws `UnbelievableAnswer` or a `ContentRefusal` for anything else. */
import {
  type BankTerms,
  type CobsErrorCode,
  type Fault,
  type InstructionPriority,
  type PaymentType,
  parseAccountId,
  parseCurrencyCode,
} from "@cobs/cobs-model";
import {
  type FundsAnswer,
  ORDER_REJECTIONS,
  type OrderInspection,
  type OrderOutcome,
  type OrderProgress,
} from "../orders.ts";
import {
  type JsonObject,
  requireBoolean,
  requireCount,
  requireList,
  requireObject,
  requireOrNull,
  requireText,
  UnbelievableAnswer,
} from "./json-members.ts";
import { readCoreAmount, requireOneOf } from "./order-json.ts";

const MAX_CURRENCIES = 200;
const MAX_DAYS_AHEAD = 3_650;
const MAX_FAULTS = 10;
const MAX_REFERENCE = 35;
const PRIORITIES: readonly InstructionPriority[] = ["NORM", "HIGH", "INST"];
const TIME = /^(?:[01]\d|2[0-3]):[0-5]\d$/;

/** Reads what the bank executes. */
export function parseTerms(value: unknown): BankTerms {
  const terms = requireObject(value, "answer");
  const priorities = requireObject(terms.priorities, "priorities");
  const cutOff = requireObject(terms.cutOff, "cutOff");
  const maxDaysAhead = requireCount(terms.maxDaysAhead, "maxDaysAhead");
  if (maxDaysAhead > MAX_DAYS_AHEAD) throw new UnbelievableAnswer("maxDaysAhead is more than ten years");
  return {
    bankCode: readForm(terms.bankCode, "bankCode", /^\d{4}$/),
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
  return requireList(value, { path, most: PRIORITIES.length }, (each, at) =>
    requireOneOf(each, at, PRIORITIES),
  );
}

function readTimes(value: unknown, path: string) {
  const { NORM, HIGH } = requireObject(value, path);
  return { NORM: readForm(NORM, `${path}.NORM`, TIME), HIGH: readForm(HIGH, `${path}.HIGH`, TIME) };
}

function readForm(value: unknown, path: string, form: RegExp): string {
  if (typeof value === "string" && form.test(value)) return value;
  throw new UnbelievableAnswer(`${path} does not have its form`);
}

/** Table: what a core system may have against an order, where that is in the request, and what the TPP is told. */
const FAULTS: Readonly<Record<string, Omit<Fault, "parameters">>> = {
  AC02: faultAt("AC02", "debtorAccount.identification.iban", "the PSU has no such account"),
  AC10: faultAt("AC10", "debtorAccount.currency", "the account is not kept in this currency"),
  AC12: faultAt("AC12", "debtorAccount.identification.iban", "the account is not a payment account"),
  AC03: faultAt("AC03", "creditorAccount.identification.iban", "the payee's account is closed, or none"),
  AM11: faultAt("AM11", "amount.instructedAmount.currency", "the bank does not exchange this currency"),
};

/** Table: what it may have against a question for funds, which has no paths. */
const FUNDS_FAULTS: Readonly<Record<string, Fault>> = {
  AC02: faultAt("AC02", undefined, "the PSU has no such account"),
  AC09: faultAt("AC09", undefined, "the account is not kept in this currency"),
  AC12: faultAt("AC12", undefined, "the account is not a payment account"),
  AM11: faultAt("AM11", undefined, "the bank does not exchange this currency"),
};

function faultAt(code: CobsErrorCode, path: string | undefined, message: string): Fault {
  return { code, path, message };
}

function readFault(value: unknown, path: string, faults: Readonly<Record<string, Fault>>): Fault {
  const fault = faults[requireOneOf(value, path, Object.keys(faults))];
  if (fault === undefined) throw new UnbelievableAnswer(`${path} is not known`);
  return fault;
}

/** Reads what the bank has against an order, or which account pays. */
export function parseInspection(value: unknown): OrderInspection {
  const answer = requireObject(value, "answer");
  const account = requireOrNull(answer.accountId, "accountId", parseAccountId) ?? undefined;
  const fee = requireOrNull(answer.fee, "fee", readCoreAmount) ?? undefined;
  const faults = requireList(answer.faults, { path: "faults", most: MAX_FAULTS }, (each, path) =>
    readFault(each, path, FAULTS),
  );
  if (account === undefined && !faults.some(({ code }) => code === "AC02"))
    throw new UnbelievableAnswer("accountId is null without AC02");
  return { account, fee, faults };
}

/** Reads whether an order was taken. */
export function parseOutcome(value: unknown): OrderOutcome {
  const answer = requireObject(value, "answer");
  const outcome = requireOneOf(answer.outcome, "outcome", ["accepted", "rejected"]);
  return outcome === "accepted" ? { outcome } : { outcome, reason: readReason(answer) };
}

/** Reads how far an order has come. */
export function parseProgress(value: unknown): OrderProgress {
  const answer = requireObject(value, "answer");
  const state = requireOneOf(answer.state, "state", ["unknown", "accepted", "completed", "rejected"]);
  if (state === "rejected") return { state, reason: readReason(answer) };
  if (state !== "completed") return { state };
  const read = (reference: unknown, path: string) => requireText(reference, path, MAX_REFERENCE);
  return { state, entryReference: requireOrNull(answer.entryReference, "entryReference", read) ?? undefined };
}

function readReason({ reason }: JsonObject) {
  return requireOneOf(reason, "reason", ORDER_REJECTIONS);
}

/** Reads yes, no, or why neither. */
export function parseFunds(value: unknown): FundsAnswer {
  const answer = requireObject(value, "answer");
  const enough = requireOrNull(answer.enough, "enough", requireBoolean);
  if (enough !== null) return { known: true, enough };
  return { known: false, fault: readFault(answer.fault, "fault", FUNDS_FAULTS) };
}
