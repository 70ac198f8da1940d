import { bytesOfOrder } from "./order-bytes.ts";
import { type PaymentRow, readTerms } from "./payment-row.ts";

/**
 * The digest of the order as it is kept at this moment, computed anew (RTS Article 5(1)(d)); undefined when the order cannot
 * be read, or when it, the bytes and the digest that were entered with it do not say the same any more.
 */
export function proveOrder(row: PaymentRow): Buffer | undefined {
  const bytes = attempt(() => bytesOfOrder(readTerms(row)));
  if (bytes === undefined || bytes.orderText !== row.order_text) return undefined;
  return bytes.digest.equals(row.digest) ? bytes.digest : undefined;
}

function attempt<T>(compute: () => T): T | undefined {
  try {
    return compute();
  } catch {
    return undefined;
  }
}
