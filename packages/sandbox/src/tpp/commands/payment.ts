import type { CommandContext, CommandResult } from "../command.ts";
import { presentPayment } from "../present-payment.ts";
import { type OfApplication, withPayments } from "../with-access.ts";

/** Reads a payment and its status (COBS 3.2.6). */
export async function payment(
  context: CommandContext,
  options: OfApplication & { readonly payment: string },
): Promise<CommandResult> {
  const told = await withPayments(context, options, (payments) => payments.read(options.payment));
  return { json: told, text: presentPayment(told) };
}
