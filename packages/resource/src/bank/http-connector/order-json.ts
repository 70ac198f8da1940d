/**
 * An order in the JSON of the contract with a core system: members named as in `PaymentOrder`, amounts as decimal texts,
 * absent members left out. The TPP's identity is not sent; its own reference is, because the payer reads it.
 */
import {
  CHARGE_BEARERS,
  type FinancialInstitution,
  INSTRUCTION_PRIORITIES,
  type Money,
  PAYMENT_TYPES,
  type PaymentAccount,
  type PaymentOrder,
  type PaymentSymbols,
  parseAmount,
  parseCurrencyCode,
  parseIban,
  presentDecimal,
  type RelatedParty,
} from "@cobs/cobs-model";
import {
  isJsonObject,
  type JsonObject,
  requireObject,
  requireOneOf,
  requireText,
  UnbelievableAnswer,
} from "./json-members.ts";

/** Writes an order. */
export function presentCoreOrder(order: PaymentOrder): object {
  const { initiatingParty: _tpp, references: _echo, ...told } = order;
  return { ...told, amount: presentCoreAmount(order.amount) };
}

/** Writes an amount as decimal text. */
export function presentCoreAmount(money: Money): { readonly value: string; readonly currency: string } {
  return { value: presentDecimal(money), currency: money.currency };
}

/** Longest texts of an order (COBS 3.2.4). */
const MAX_REFERENCE = 35;
const MAX_MESSAGE = 140;
const MAX_NUMBER = 34;

/** Reads what `presentCoreOrder` writes; throws `UnbelievableAnswer` or a `ContentRefusal`. */
export function readCoreOrder(value: unknown): PaymentOrder {
  const order = requireObject(value, "order");
  const optional = <T>(name: string, read: (member: unknown, path: string) => T) =>
    order[name] === undefined ? undefined : read(order[name], `order.${name}`);
  return {
    type: requireOneOf(order.type, "order.type", PAYMENT_TYPES),
    instructionIdentification: readReference(
      order.instructionIdentification,
      "order.instructionIdentification",
    ),
    endToEndIdentification: optional("endToEndIdentification", readReference),
    priority: requireOneOf(order.priority, "order.priority", INSTRUCTION_PRIORITIES),
    amount: readCoreAmount(order.amount, "order.amount"),
    requestedExecutionDate: optional("requestedExecutionDate", readReference),
    chargeBearer: optional("chargeBearer", (bearer, path) => requireOneOf(bearer, path, CHARGE_BEARERS)),
    debtorAccount: readAccount(
      requireObject(order.debtorAccount, "order.debtorAccount"),
      "order.debtorAccount",
    ),
    creditor: optional("creditor", readParent),
    creditorAgent: optional("creditorAgent", readParent),
    creditorAccount: readCreditorAccount(requireObject(order.creditorAccount, "order.creditorAccount")),
    ultimateDebtor: optional("ultimateDebtor", readParent),
    ultimateCreditor: optional("ultimateCreditor", readParent),
    unstructured: optional("unstructured", (text, path) => requireText(text, path, MAX_MESSAGE)),
    references: [],
    symbols: optional("symbols", readSymbols) ?? {},
    initiatingParty: undefined,
  };
}

/** Reads an unsigned amount. */
export function readCoreAmount(value: unknown, path: string): Money {
  const { value: digits, currency } = requireObject(value, path);
  if (typeof digits === "string" && typeof currency === "string")
    return parseAmount({ value: digits, currency }, path);
  throw new UnbelievableAnswer(`${path} must have value and currency, both text`);
}

function readReference(value: unknown, path: string): string {
  return requireText(value, path, MAX_REFERENCE);
}

function readAccount({ iban, currency }: JsonObject, path: string): PaymentAccount {
  return {
    iban: parseIban(iban, `${path}.iban`),
    currency: currency === undefined ? undefined : parseCurrencyCode(currency, `${path}.currency`),
  };
}

function readCreditorAccount(account: JsonObject): PaymentOrder["creditorAccount"] {
  const path = "order.creditorAccount";
  if (account.number === undefined) return readAccount(account, path);
  return { number: requireText(account.number, `${path}.number`, MAX_NUMBER) };
}

/** Passes on parties and banks unchanged, which were checked when the order was entered. */
function readParent(value: unknown, path: string): RelatedParty & FinancialInstitution {
  if (isParent(value)) return value;
  throw new UnbelievableAnswer(`${path} is not an object`);
}

function isParent(value: unknown): value is RelatedParty & FinancialInstitution {
  return isJsonObject(value);
}

function readSymbols(value: unknown, path: string): PaymentSymbols {
  const { variable, constant, specific } = requireObject(value, path);
  return {
    ...(variable !== undefined && { variable: readReference(variable, `${path}.variable`) }),
    ...(constant !== undefined && { constant: readReference(constant, `${path}.constant`) }),
    ...(specific !== undefined && { specific: readReference(specific, `${path}.specific`) }),
  };
}
