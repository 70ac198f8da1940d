import type { MadeMove } from "./made-move.ts";
import { bytesOfOrder } from "./order-bytes.ts";
import { factsOfEntry } from "./payment-record.ts";
import { type PaymentRow, readTerms } from "./payment-row.ts";

/**
 * The digest of the order as it is kept at this moment, computed anew (RTS Article 5(1)(d)). Undefined when the order cannot
 * be read; when it, the bytes and the digest beside it do not say the same any more; or when they, the PSU or the account
 * are not those by which the payment's record begins.
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
