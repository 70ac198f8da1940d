import { type CommandContext, type CommandResult, withCertificate } from "../command.ts";
import { type AccountListOptions, listAccounts, presentAccounts } from "../list-accounts.ts";
import { requireTokens } from "../tpp-memory.ts";

/** Options of `accounts`; `certificate` shows another one than the token is bound to. */
export interface AccountsOptions extends AccountListOptions {
  readonly application?: string | undefined;
  readonly certificate?: string | undefined;
}

/** Lists accounts with the access token (COBS 3.1.3). */
export async function accounts(
  { sandbox, memory }: CommandContext,
  { application: clientId, certificate, ...options }: AccountsOptions,
): Promise<CommandResult> {
  const application = await memory.application(clientId);
  const { accessToken } = requireTokens(application);
  const list = await withCertificate(sandbox, certificate ?? application.certificate, async (tpp) => {
    const asked = { resourceBase: sandbox.resourceBase, options };
    return listAccounts(await tpp.oauth(application), accessToken, asked);
  });
  return { json: list, text: presentAccounts(list) };
}
