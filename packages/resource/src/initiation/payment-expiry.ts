import { endOfBankDay, type PaymentOrder } from "@cobs/cobs-model";

/** Finds the time until which a PSU may approve: `minutes` from now, but not after the execution date that the TPP requested. */
export function expiryOf(
  { requestedExecutionDate }: Pick<PaymentOrder, "requestedExecutionDate">,
  executionDate: string,
  { now, minutes }: { readonly now: Date; readonly minutes: number },
): Date {
  const later = new Date(now.getTime() + minutes * MINUTE_MS);
  if (requestedExecutionDate === undefined) return later;
  const dayIsOver = endOfBankDay(executionDate);
  return dayIsOver < later ? dayIsOver : later;
}

const MINUTE_MS = 60_000;
