import type { CommandContext, CommandResult } from "../command.ts";
import { type BalanceOptions, presentBalances, readBalance } from "../read-balance.ts";
import { type OfApplication, withAccess } from "../with-access.ts";

/** Reads the balances of an account with the access token (COBS 3.1.4). */
export async function balance(
  context: CommandContext,
  { account, currency, ...of }: BalanceOptions & OfApplication & { readonly account: string },
): Promise<CommandResult> {
  const told = await withAccess(context, of, (access) => readBalance(access, account, { currency }));
  return { json: told, text: presentBalances(told) };
}
