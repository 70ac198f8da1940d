import { type CommandContext, type CommandResult, splitScopes, withCertificate } from "../command.ts";
import { requireTokens } from "../tpp-memory.ts";
import { TppRefusal } from "../tpp-refusal.ts";
import { keptTokens, presentTokens } from "./authorize.ts";

/** Gets a new access token with the refresh token (COBS PDF 1.4.5), which stays the same. */
export async function refresh(
  { sandbox, memory }: CommandContext,
  options: { readonly application?: string | undefined; readonly scope?: string | undefined },
): Promise<CommandResult> {
  const application = await memory.application(options.application);
  const { refreshToken } = requireTokens(application);
  if (refreshToken === undefined)
    throw new TppRefusal("not_authorized", "there is no refresh token", "npm run tpp -- authorize");
  const scope = splitScopes(options.scope)?.join(" ");
  const answer = await withCertificate(sandbox, application.certificate, async (tpp) =>
    (await tpp.oauth(application)).refresh(refreshToken, scope),
  );
  const tokens = { ...keptTokens(answer), refreshToken: answer.refreshToken ?? refreshToken };
  await memory.keep({ ...application, tokens });
  return { json: tokens, text: presentTokens(tokens) };
}
