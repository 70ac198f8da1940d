import type { Brand } from "./brand.ts";
import type { Transaction, TransactionDetails } from "./transaction.ts";

/** Details of a transaction as JSON text, as PostgreSQL prints a `jsonb`; they were checked when stored. */
export type DetailsText = Brand<"DetailsText">;

/** A transaction whose details may still be stored text. */
export type StoredTransaction = Omit<Transaction, "details"> & {
  readonly details: TransactionDetails | DetailsText | null;
};

/** Reads stored details without checking them again. */
export function readDetails(details: DetailsText): TransactionDetails {
  return JSON.parse(details);
}

/** Returns the transaction with its details read. */
export function readStoredTransaction(stored: StoredTransaction): Transaction {
  const { details } = stored;
  return { ...stored, details: typeof details === "string" ? readDetails(details) : details };
}
