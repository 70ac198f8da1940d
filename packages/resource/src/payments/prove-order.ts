import type { MadeMove } from "./made-move.ts";
import { bytesOfOrder } from "./order-bytes.ts";
import { factsOfEntry } from "./payment-record.ts";
import { type PaymentRow, readTerms } from "./payment-row.ts";

/**
 * Recomputes the digest of the order as stored at this moment (RTS Article 5(1)(d)). Undefined when the order cannot be read,
 * when the order, its bytes and the stored digest no longer agree, or when the digest, the content, the PSU or the account
 * differs from the first line of the payment's record.
 */
export function proveOrder(row: PaymentRow, entry: MadeMove["facts"]): Buffer | undefined {
  const bytes = attempt(() => bytesOfOrder(readTerms(row)));
  if (bytes === undefined || bytes.orderText !== row.order_text) return undefined;
  return bytes.digest.equals(row.digest) && isAsEntered(row, entry) ? bytes.digest : undefined;
}

function isAsEntered(row: PaymentRow, entry: MadeMove["facts"]): boolean {
  const { digest, order_content: content, psu_id: psu, account_id: account } = row;
  const facts = Object.entries(factsOfEntry({ digest, content, psu, account }));
  return facts.every(([name, fact]) => entry[name] === fact);
}

function attempt<T>(compute: () => T): T | undefined {
  try {
    return compute();
  } catch {
    return undefined;
  }
}
