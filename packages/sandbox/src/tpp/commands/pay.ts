import type { CommandContext, CommandResult } from "../command.ts";
import { type PaymentOptions, paymentBody } from "../payment-body.ts";
import { presentPayment } from "../present-payment.ts";
import { type OfApplication, withPayments } from "../with-access.ts";

/** Enters a payment with the access token (COBS 3.2.4); the PSU approves it later. */
export async function pay(
  context: CommandContext,
  options: PaymentOptions & OfApplication,
): Promise<CommandResult> {
  const body = paymentBody(options);
  const payment = await withPayments(context, options, (payments) => payments.initiate(body));
  const next = `npm run tpp -- sign ${payment.transactionIdentification}`;
  return { json: payment, text: `${presentPayment(payment)}\nNext: ${next}` };
}
