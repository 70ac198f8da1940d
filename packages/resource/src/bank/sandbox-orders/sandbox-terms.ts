/** What the sandbox bank executes and charges, as tables. */
import {
  type BankTerms,
  type ChargeBearer,
  type CurrencyCode,
  type InstructionPriority,
  type Money,
  type PaymentOrder,
  type PaymentType,
  parseCurrencyCode,
} from "@cobs/cobs-model";
import { EXCHANGED_CURRENCIES, exchange } from "./exchange-rates.ts";

/** Terms that let TPPs try every case: each priority somewhere, and a priority that is refused (COBS NO_PART). */
export const SANDBOX_TERMS: BankTerms = {
  bankCode: "9900",
  currencies: EXCHANGED_CURRENCIES,
  priorities: {
    domestic: ["NORM", "HIGH", "INST"],
    sepa: ["NORM", "HIGH", "INST"],
    "inside-eea": ["NORM", "HIGH"],
    "outside-eea": ["NORM"],
  },
  maxDaysAhead: 90,
  cutOff: {
    domestic: { NORM: "20:30", HIGH: "14:00" },
    sepa: { NORM: "17:00", HIGH: "13:00" },
    "inside-eea": { NORM: "16:00", HIGH: "12:00" },
    "outside-eea": { NORM: "14:00", HIGH: "12:00" },
  },
};

const CZK = parseCurrencyCode("CZK");

/** Charges in haléře by priority. An instant payment costs no more than another (Regulation (EU) 2024/886 Article 5b). */
const BY_PRIORITY: Readonly<Record<InstructionPriority, bigint>> = { NORM: 0n, HIGH: 10_000n, INST: 0n };

/** Charges in haléře of a foreign payment by who bears them; DEBT includes those of the other bank. */
const BY_BEARER: Readonly<Record<ChargeBearer, bigint>> = {
  SHAR: 22_000n,
  SLEV: 0n,
  CRED: 0n,
  DEBT: 64_000n,
};

const FOREIGN: readonly PaymentType[] = ["inside-eea", "outside-eea"];

/** What the payer is charged, in the currency of the account that pays; undefined if nothing. */
export function feeOf(order: PaymentOrder, currency: CurrencyCode): Money | undefined {
  const ofBearer = FOREIGN.includes(order.type) ? BY_BEARER[order.chargeBearer ?? "SHAR"] : 0n;
  const minor = BY_PRIORITY[order.priority] + ofBearer;
  return minor === 0n ? undefined : exchange({ minor, currency: CZK }, currency)?.money;
}
