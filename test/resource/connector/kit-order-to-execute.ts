import { type Account, bankDayOf, type Iban, type PsuId } from "@cobs/cobs-model";
import type { OrderToExecute } from "@cobs/resource/sandbox";
import { approve, kitOrder, withMessage } from "../../../packages/resource/src/core-kit/kit-order.ts";

/** A small instant order as handed over, to be executed today and free of charge. */
export function kitOrderToExecute(
  psu: PsuId,
  account: Pick<Account, "id" | "iban" | "currency">,
  payee: Iban,
): OrderToExecute {
  const order = withMessage(kitOrder(account, payee));
  return approve({ psu, account: account.id, order, fee: undefined, executionDate: bankDayOf(new Date()) });
}
