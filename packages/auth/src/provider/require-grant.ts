import { errors, type Grant, type Provider } from "oidc-provider";

/**
 * Finds the grant of the consent that the PSU just gave. It may have ended since: withdrawn or replaced in another tab,
 * or with its application or by a block. Refuses with `access_denied` and a description: the provider's own has none,
 * and nobody declined.
 */
export async function requireGrant(provider: Provider, grantId: string): Promise<Grant> {
  const grant = await provider.Grant.find(grantId);
  if (grant === undefined) throw new errors.AccessDenied("the consent has ended");
  return grant;
}
