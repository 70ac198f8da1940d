import { authorizeAsPsu } from "../authorize-as-psu.ts";
import type { CommandContext, CommandResult } from "../command.ts";
import { signAsPsu } from "../sign-as-psu.ts";
import { TppRefusal } from "../tpp-refusal.ts";

/** Options of `psu`. */
export interface PsuOptions {
  readonly username: string;
  /** URL to which a TPP, any of them, sent the PSU. */
  readonly url: string;
  /** `all`, or ids separated by commas. */
  readonly accounts: string;
}

const SIGNING_PATH = /^\/sign\//;

/**
 * Plays a PSU whom another program sent to the bank: consents and gives the URL of the return to the TPP, or approves a
 * payment.
 */
export async function psu(
  context: CommandContext,
  { username, url: text, accounts: ids }: PsuOptions,
): Promise<CommandResult> {
  const { browser, mutualTls } = context.sandbox.auth;
  const isBank = ({ origin }: URL) => origin === browser || origin === mutualTls;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !isBank(url))
    throw new TppRefusal("usage", "the address is not one of the bank's", `They begin with ${browser}/`);
  const wayBack = (address: URL) => !isBank(address);
  if (SIGNING_PATH.test(url.pathname)) {
    await signAsPsu(context, { url, returnUrl: wayBack, username });
    return { json: { approved: true }, text: `${username} has approved the payment.` };
  }
  const accounts = ids === "all" ? ids : ids.split(",");
  const callback = await authorizeAsPsu(context, { url, redirectUri: wayBack, username, accounts });
  return { json: { callback: callback.href }, text: callback.href };
}
