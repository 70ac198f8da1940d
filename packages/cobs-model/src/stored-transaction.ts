import type { Brand } from "./brand.ts";
import type { Transaction, TransactionDetails } from "./transaction.ts";

/** The details of a transaction as JSON text, as PostgreSQL prints a `jsonb`: checked when they were stored. */
export type DetailsText = Brand<"DetailsText">;

/** A transaction whose details were perhaps not read since they were stored. */
export type StoredTransaction = Omit<Transaction, "details"> & {
  readonly details: TransactionDetails | DetailsText | null;
};

/** Reads what was stored; nothing is checked again. */
export function readDetails(details: DetailsText): TransactionDetails {
  return JSON.parse(details);
}

/** The same transaction with its details read. */
export function readStoredTransaction(stored: StoredTransaction): Transaction {
  const { details } = stored;
  return { ...stored, details: typeof details === "string" ? readDetails(details) : details };
}
