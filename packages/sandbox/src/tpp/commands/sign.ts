import type { CommandContext, CommandResult } from "../command.ts";
import { presentInboxes } from "../present-inboxes.ts";
import { presentPayment } from "../present-payment.ts";
import { sendToBrowser } from "../send-to-browser.ts";
import { signAsPsu } from "../sign-as-psu.ts";
import { signPayment } from "../sign-payment.ts";
import { type OfApplication, withPayments } from "../with-access.ts";

/** Options of `sign`. */
export interface SignOptions extends OfApplication {
  readonly payment: string;
  /** Username of the PSU to play; without it a person approves in a browser. */
  readonly psu?: string | undefined;
  /** Seconds. */
  readonly timeout: number;
}

/** Sends the PSU of a payment to the bank for approval, and asks for the outcome (COBS 3.2.8 to 3.2.11). */
export async function sign(context: CommandContext, options: SignOptions): Promise<CommandResult> {
  return withPayments(context, options, async (payments, { redirectUri }) => {
    const send = (url: URL) => sendPsu(context, options, { url, redirectUri });
    const ended = await signPayment(payments, { paymentId: options.payment, returnUrl: redirectUri, send });
    const payment = await payments.read(options.payment);
    const next = `npm run tpp -- payment ${options.payment}`;
    return { json: { ...ended, payment }, text: `${presentPayment(payment)}\nNext: ${next}` };
  });
}

interface Way {
  readonly url: URL;
  readonly redirectUri: string;
}

async function sendPsu(
  context: CommandContext,
  { psu: username, timeout }: SignOptions,
  { url, redirectUri }: Way,
): Promise<void> {
  if (username !== undefined) return signAsPsu(context, { url, returnUrl: redirectUri, username });
  const { delivery, login } = context.sandbox;
  const hint =
    delivery === null
      ? `The bank sends the code to the PSU's phone, which is here:\n${presentInboxes(context.sandbox)}`
      : `The bank sends the code to the service at ${delivery}`;
  await sendToBrowser(context, {
    url,
    redirectUri,
    isPlayable: login === null && delivery === null,
    timeout,
    hint,
  });
}
