import type { CommandContext, CommandResult } from "../command.ts";
import { listAccounts, presentAccounts } from "../list-accounts.ts";
import type { PageOptions } from "../told-list.ts";
import { type OfApplication, withAccess } from "../with-access.ts";

/** Lists accounts with the access token (COBS 3.1.3). */
export async function accounts(
  context: CommandContext,
  { application, certificate, ...options }: PageOptions & OfApplication,
): Promise<CommandResult> {
  const list = await withAccess(context, { application, certificate }, (access) =>
    listAccounts(access, options),
  );
  return { json: list, text: presentAccounts(list) };
}
