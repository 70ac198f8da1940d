import { type CommandContext, type CommandResult, withCertificate } from "../command.ts";
import { requireTokens } from "../tpp-memory.ts";

/** Revokes the access token alone, or the refresh token, with which the consent ends (COBS PDF 1.4.6, RFC 7009). */
export async function revoke(
  { sandbox, memory }: CommandContext,
  options: { readonly application?: string | undefined; readonly accessTokenOnly?: boolean | undefined },
): Promise<CommandResult> {
  const application = await memory.application(options.application);
  const { accessToken, refreshToken, ...rest } = requireTokens(application);
  const all = options.accessTokenOnly !== true && refreshToken !== undefined;
  await withCertificate(sandbox, application.certificate, async (tpp) =>
    (await tpp.oauth(application)).revoke(all ? refreshToken : accessToken),
  );
  // What is revoked stays here, so that one can see it refused.
  await memory.keep({ ...application, tokens: { accessToken, ...(!all && { refreshToken }), ...rest } });
  const what = all
    ? "The refresh token is revoked, and the consent has ended."
    : "The access token is revoked.";
  return { json: { revoked: all ? "refresh_token" : "access_token" }, text: what };
}
