/**
 * One payment as a TPP orders it (COBS 3.2.4), read and verified. It owns the content of an order, with all the bank's
 * defaults filled in. Its rules are in `payment-elements.ts` and `read-payment-order.ts`, its time of execution in
 * `plan-execution.ts`. It is plain JSON except for the amount, whose minor units are a `bigint`.
 */
import type { CurrencyCode } from "../currency-code.ts";
import type { Iban } from "../iban.ts";
import type { Money } from "../money.ts";
import type { FinancialInstitution, RelatedParty } from "../transaction.ts";

/** Types of payment (COBS 3.2.4, 4.23): TUZEM (`DMCT`), SEPA (`ESCT`), EHP (`EXCT`) and NONEHP (`NXCT`). */
export const PAYMENT_TYPES = ["domestic", "sepa", "inside-eea", "outside-eea"] as const;

export type PaymentType = (typeof PAYMENT_TYPES)[number];

/** Urgency of a payment (COBS 4.24.1); all but INST have a cut-off time. */
export const INSTRUCTION_PRIORITIES = ["NORM", "HIGH", "INST"] as const;

export type InstructionPriority = (typeof INSTRUCTION_PRIORITIES)[number];

/** Priority of a request that names none (COBS 4.24.1). */
export const DEFAULT_PRIORITY: InstructionPriority = "NORM";

/** Who bears the charges (COBS 4.6). */
export const CHARGE_BEARERS = ["DEBT", "CRED", "SHAR", "SLEV"] as const;

export type ChargeBearer = (typeof CHARGE_BEARERS)[number];

/** An account in a payment, with its IBAN; the currency is the request's, and need not be the account's. */
export type PaymentAccount = { readonly iban: Iban; readonly currency: CurrencyCode | undefined };

/** The symbols of Czech payments (COBS 4.27), digits with their leading zeros. */
export type PaymentSymbols = {
  readonly variable?: string;
  readonly constant?: string;
  readonly specific?: string;
};

/** An order to pay. Texts are in the characters in which the payment is sent. */
export type PaymentOrder = {
  readonly type: PaymentType;
  /** The TPP's own id, unique among its payments (AM05). */
  readonly instructionIdentification: string;
  /** Only in SEPA. */
  readonly endToEndIdentification: string | undefined;
  readonly priority: InstructionPriority;
  /** Always above zero. */
  readonly amount: Money;
  /** ISODate; undefined means as soon as possible. */
  readonly requestedExecutionDate: string | undefined;
  /** Undefined only in a domestic payment, where each side pays its own bank. */
  readonly chargeBearer: ChargeBearer | undefined;
  readonly debtorAccount: PaymentAccount;
  readonly creditor: RelatedParty | undefined;
  readonly creditorAgent: FinancialInstitution | undefined;
  /** By IBAN, or by the number used by a bank without IBANs. */
  readonly creditorAccount: PaymentAccount | { readonly number: string };
  readonly ultimateDebtor: RelatedParty | undefined;
  readonly ultimateCreditor: RelatedParty | undefined;
  readonly unstructured: string | undefined;
  /** `structured…reference` as the request wrote it, for the echo; empty if it did not (COBS 4.27). */
  readonly references: readonly string[];
  /** Symbols from both forms of the message; the structured form takes precedence (COBS 4.27). */
  readonly symbols: PaymentSymbols;
  /** The sender of the order by its own account; kept and not echoed. */
  readonly initiatingParty: { readonly name?: string; readonly postalAddress?: string } | undefined;
};

/** What a bank executes, which the standard leaves to the bank, and until when it does so on the same day. */
export type BankTerms = {
  /** Four digits (COBS 4.9.1.2.1). */
  readonly bankCode: string;
  readonly currencies: readonly CurrencyCode[];
  readonly priorities: Readonly<Record<PaymentType, readonly InstructionPriority[]>>;
  /** Most days from today to a requested day of execution. */
  readonly maxDaysAhead: number;
  /** The bank-local time `hh:mm` from which an order is executed on the next business day. INST has none. */
  readonly cutOff: Readonly<Record<PaymentType, Readonly<Record<"NORM" | "HIGH", string>>>>;
};
