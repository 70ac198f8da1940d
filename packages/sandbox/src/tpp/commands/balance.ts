import { type CommandContext, type CommandResult, withCertificate } from "../command.ts";
import { type BalanceOptions, presentBalances, readBalance } from "../read-balance.ts";
import { requireTokens } from "../tpp-memory.ts";

/** The account, and options of `balance`; `certificate` shows another one than the token is bound to. */
export interface BalanceCommandOptions extends BalanceOptions {
  readonly account: string;
  readonly application?: string | undefined;
  readonly certificate?: string | undefined;
}

/** Reads the balances of an account with the access token (COBS 3.1.4). */
export async function balance(
  { sandbox, memory }: CommandContext,
  { application: clientId, certificate, account, currency }: BalanceCommandOptions,
): Promise<CommandResult> {
  const application = await memory.application(clientId);
  const { accessToken } = requireTokens(application);
  const told = await withCertificate(sandbox, certificate ?? application.certificate, async (tpp) => {
    const asked = { resourceBase: sandbox.resourceBase, account, options: { currency } };
    return readBalance(await tpp.oauth(application), accessToken, asked);
  });
  return { json: told, text: presentBalances(told) };
}
