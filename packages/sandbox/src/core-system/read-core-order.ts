import {
  type AccountId,
  ContentRefusal,
  isCalendarDay,
  type PsuId,
  parseAccountId,
  parseCurrencyCode,
  parseIban,
  parsePsuId,
} from "@cobs/cobs-model";
import {
  type FundsQuestion,
  type OrderToExecute,
  type OrderToInspect,
  readCoreAmount,
  readCoreOrder,
  UnbelievableAnswer,
} from "@cobs/resource/sandbox";
import { isJsonObject, type JsonObject } from "@cobs/service-edge/json";
import { MalformedQuestion } from "./read-core-query.ts";

const PAYMENT_ID = /^[A-Za-z0-9_-]{1,35}$/;
const DIGEST = /^[0-9a-f]{64}$/;
const TEXT = /^\{.{1,16000}\}$/s;
const APPROVAL = /^[\x21-\x7e]{1,64}$/;

/** Reads an order to be executed under a payment id; throws `MalformedQuestion`. */
export function readOrderToExecute(paymentId: unknown, body: unknown): OrderToExecute {
  const { digest, approvedText, approvalId, psuId, accountId, executionDate, fee, order } =
    requireMembers(body);
  return {
    paymentId: readPaymentId(paymentId),
    digest: Buffer.from(requireForm(digest, "digest", DIGEST), "hex"),
    orderText: requireForm(approvedText, "approvedText", TEXT),
    approvalId: requireForm(approvalId, "approvalId", APPROVAL),
    psu: readPsu(psuId),
    account: readAccount(accountId),
    executionDate: readDay(executionDate, "executionDate"),
    fee: fee === null ? undefined : read(() => readCoreAmount(fee, "fee")),
    order: read(() => readCoreOrder(order)),
  };
}

/** Reads a payment id; throws `MalformedQuestion`. */
export function readPaymentId(value: unknown): string {
  return requireForm(value, "paymentId", PAYMENT_ID);
}

/** Reads an order to be inspected; throws `MalformedQuestion`. */
export function readOrderToInspect(body: unknown): OrderToInspect {
  const { psuId, accountIds, order } = requireMembers(body);
  if (accountIds !== null && !Array.isArray(accountIds))
    throw new MalformedQuestion("accountIds must be a list or null");
  return {
    psu: readPsu(psuId),
    accounts: accountIds === null ? undefined : accountIds.map(readAccount),
    order: read(() => readCoreOrder(order)),
  };
}

/** Reads a question for funds; throws `MalformedQuestion`. */
export function readFundsQuestion(body: unknown): FundsQuestion {
  const { psuId, accountIds, iban, currency, amount } = requireMembers(body);
  if (!Array.isArray(accountIds) || accountIds.length === 0)
    throw new MalformedQuestion("accountIds must be a list of at least one");
  return {
    psu: readPsu(psuId),
    accounts: accountIds.map(readAccount),
    iban: read(() => parseIban(iban, "iban")),
    currency: currency === null ? undefined : read(() => parseCurrencyCode(currency, "currency")),
    amount: read(() => readCoreAmount(amount, "amount")),
  };
}

function readPsu(value: unknown): PsuId {
  return read(() => parsePsuId(value));
}

function readAccount(value: unknown): AccountId {
  return read(() => parseAccountId(value, "accountId"));
}

function requireMembers(body: unknown): JsonObject {
  if (isJsonObject(body)) return body;
  throw new MalformedQuestion("the body is not an object");
}

function requireForm(value: unknown, name: string, form: RegExp): string {
  if (typeof value === "string" && form.test(value)) return value;
  throw new MalformedQuestion(`${name} is malformed`);
}

function readDay(value: unknown, name: string): string {
  if (typeof value === "string" && isCalendarDay(value)) return value;
  throw new MalformedQuestion(`${name} must be a calendar day (YYYY-MM-DD)`);
}

/**
 * Turns parse errors into `MalformedQuestion`: in a body a malformed id breaks the contract (clause 6.5), while in a path it
 * is unknown like any other.
 */
function read<T>(reading: () => T): T {
  try {
    return reading();
  } catch (error) {
    if (error instanceof UnbelievableAnswer) throw new MalformedQuestion(error.message);
    if (error instanceof ContentRefusal)
      throw new MalformedQuestion(error.faults.map(({ message }) => message).join(", "));
    throw error;
  }
}
