import { type CommandContext, type CommandResult, withCertificate } from "../command.ts";
import { listTransactions, presentTransactions, type TransactionListOptions } from "../list-transactions.ts";
import { requireTokens } from "../tpp-memory.ts";

/** The account, and options of `transactions`; `certificate` shows another one than the token is bound to. */
export interface TransactionsCommandOptions extends TransactionListOptions {
  readonly account: string;
  readonly application?: string | undefined;
  readonly certificate?: string | undefined;
}

/** Lists the transactions of an account with the access token (COBS 3.1.5). */
export async function transactions(
  { sandbox, memory }: CommandContext,
  { application: clientId, certificate, account, ...options }: TransactionsCommandOptions,
): Promise<CommandResult> {
  const application = await memory.application(clientId);
  const { accessToken } = requireTokens(application);
  const list = await withCertificate(sandbox, certificate ?? application.certificate, async (tpp) => {
    const asked = { resourceBase: sandbox.resourceBase, account, options };
    return listTransactions(await tpp.oauth(application), accessToken, asked);
  });
  return { json: list, text: presentTransactions(list) };
}
