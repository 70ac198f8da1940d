/**
 * One payment as a TPP orders it (COBS 3.2.4), read and proven. It owns what an order says, with every default of the bank
 * filled in; which rules it obeys is in `payment-elements.ts` and `read-payment-order.ts`, when it is executed in
 * `plan-execution.ts`. It consists of JSON alone but for the amount, whose minor units are a `bigint`.
 */
import type { CurrencyCode } from "../currency-code.ts";
import type { Iban } from "../iban.ts";
import type { Money } from "../money.ts";
import type { FinancialInstitution, RelatedParty } from "../transaction.ts";

/** The kinds of payment (COBS 3.2.4, 4.23): TUZEM (`DMCT`), SEPA (`ESCT`), EHP (`EXCT`) and NONEHP (`NXCT`). */
export const PAYMENT_TYPES = ["domestic", "sepa", "inside-eea", "outside-eea"] as const;

/** One of {@link PAYMENT_TYPES}. */
export type PaymentType = (typeof PAYMENT_TYPES)[number];

/** How urgent a payment is (COBS 4.24.1); every one but INST has a cut-off time. */
export const INSTRUCTION_PRIORITIES = ["NORM", "HIGH", "INST"] as const;

/** One of {@link INSTRUCTION_PRIORITIES}. */
export type InstructionPriority = (typeof INSTRUCTION_PRIORITIES)[number];

/** What a request asks for that names none (COBS 4.24.1). */
export const DEFAULT_PRIORITY: InstructionPriority = "NORM";

/** Who bears the charges (COBS 4.6). */
export const CHARGE_BEARERS = ["DEBT", "CRED", "SHAR", "SLEV"] as const;

/** One of {@link CHARGE_BEARERS}. */
export type ChargeBearer = (typeof CHARGE_BEARERS)[number];

/** An account of a payment with its IBAN; the currency is what the request says, and need not be the account's. */
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
  /** The TPP's own, unique among its payments (AM05). */
  readonly instructionIdentification: string;
  /** SEPA alone. */
  readonly endToEndIdentification: string | undefined;
  readonly priority: InstructionPriority;
  /** Above zero. */
  readonly amount: Money;
  /** ISODate; absent is as soon as it can be. */
  readonly requestedExecutionDate: string | undefined;
  /** Undefined in a domestic payment alone, where each side pays its own bank. */
  readonly chargeBearer: ChargeBearer | undefined;
  readonly debtorAccount: PaymentAccount;
  readonly creditor: RelatedParty | undefined;
  readonly creditorAgent: FinancialInstitution | undefined;
  /** By IBAN, or by the number that a bank without IBANs knows it by. */
  readonly creditorAccount: PaymentAccount | { readonly number: string };
  readonly ultimateDebtor: RelatedParty | undefined;
  readonly ultimateCreditor: RelatedParty | undefined;
  readonly unstructured: string | undefined;
  /** `structured…reference` as the request wrote it, for the echo; empty when it did not (COBS 4.27). */
  readonly references: readonly string[];
  /** What both forms of the message say; the structured one wins (COBS 4.27). */
  readonly symbols: PaymentSymbols;
  /** Who sends the order, as it says itself; kept and not echoed. */
  readonly initiatingParty: { readonly name?: string; readonly postalAddress?: string } | undefined;
};

/** What a bank executes, which the standard leaves to it, and when it still does so on the same day. */
export type BankTerms = {
  /** Four digits (COBS 4.9.1.2.1). */
  readonly bankCode: string;
  readonly currencies: readonly CurrencyCode[];
  readonly priorities: Readonly<Record<PaymentType, readonly InstructionPriority[]>>;
  /** The latest day on which an order is executed that asks for one, counted from today. */
  readonly maxDaysAhead: number;
  /** The bank-local time `hh:mm` from which an order is executed on the next business day. INST has none. */
  readonly cutOff: Readonly<Record<PaymentType, Readonly<Record<"NORM" | "HIGH", string>>>>;
};
