import { errors, type Grant, type Provider } from "oidc-provider";

/**
 * The grant of what the PSU has given just now. It may have ended since: taken back or replaced in another tab, or with its
 * application or a block. Refuses with `access_denied`, as the provider would without a word: nobody has declined.
 */
export async function requireGrant(provider: Provider, grantId: string): Promise<Grant> {
  const grant = await provider.Grant.find(grantId);
  if (grant === undefined) throw new errors.AccessDenied("the consent has ended");
  return grant;
}
