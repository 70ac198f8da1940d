import type { CommandContext, CommandResult } from "../command.ts";
import { listTransactions, presentTransactions, type TransactionListOptions } from "../list-transactions.ts";
import { type OfApplication, withAccess } from "../with-access.ts";

/** Lists the transactions of an account with the access token (COBS 3.1.5). */
export async function transactions(
  context: CommandContext,
  options: TransactionListOptions & OfApplication & { readonly account: string },
): Promise<CommandResult> {
  const { application, certificate, account, ...wanted } = options;
  const list = await withAccess(context, { application, certificate }, (access) =>
    listTransactions(access, account, wanted),
  );
  return { json: list, text: presentTransactions(list) };
}
