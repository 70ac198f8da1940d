import { type CommandContext, type CommandResult, withCertificate } from "../command.ts";
import { requireTokens } from "../tpp-memory.ts";
import { TppRefusal } from "../tpp-refusal.ts";

/**
 * Revokes only the access token, or the refresh token, which ends the consent (COBS PDF 1.4.6, RFC 7009). Refuses with
 * `not_authorized` if the consent should end but no refresh token is left.
 */
export async function revoke(
  { sandbox, memory }: CommandContext,
  options: { readonly application?: string | undefined; readonly accessTokenOnly?: boolean | undefined },
): Promise<CommandResult> {
  const application = await memory.application(options.application);
  const { accessToken, refreshToken, ...rest } = requireTokens(application);
  const all = options.accessTokenOnly !== true;
  const revoked = all ? refreshToken : accessToken;
  if (revoked === undefined)
    throw new TppRefusal("not_authorized", "there is no refresh token", "npm run tpp -- authorize");
  await withCertificate(sandbox, application.certificate, async (tpp) =>
    (await tpp.oauth(application)).revoke(revoked),
  );
  // Keeps the access token although it no longer works, so that one can see it refused.
  await memory.keep({ ...application, tokens: { accessToken, ...(!all && { refreshToken }), ...rest } });
  const what = all
    ? "The refresh token is revoked, and the consent has ended."
    : "The access token is revoked.";
  return { json: { revoked: all ? "refresh_token" : "access_token" }, text: what };
}
