import { type AdapterPayload, errors, type KoaContextWithOIDC, Provider } from "oidc-provider";
import { isReturnAddress } from "./application-client.ts";
import { isRefusal } from "./require-scopes.ts";

/** Checks the return address again before a code goes to it; the provider checks it only when the request comes. */
export function requireRegisteredAddress({ oidc }: KoaContextWithOIDC): void {
  const { client, params } = oidc;
  if (client === undefined || !isReturnAddress(client, params?.redirect_uri))
    throw new errors.InvalidRedirectUri();
}

/**
 * Checks the return address again before an error goes to it when an authorization is resumed: the PSU declined, a
 * scope was refused, or another reason to go back. The interaction stays, and can be resumed once the address is
 * registered again. Refuses a blocked TPP as `ClientBlocked`; the provider itself refuses a deleted application.
 */
export async function requireAddressOfError({ params, result }: AdapterPayload): Promise<void> {
  const { ctx } = Provider;
  const isError = result?.error !== undefined || isRefusal(result);
  if (ctx?.oidc.route !== "resume" || !isError) return;
  const client = await ctx.oidc.provider.Client.find(String(params?.client_id));
  if (client !== undefined && !isReturnAddress(client, params?.redirect_uri))
    throw new errors.InvalidRedirectUri();
}
