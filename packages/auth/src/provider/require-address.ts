import { type AdapterPayload, errors, type KoaContextWithOIDC, Provider } from "oidc-provider";
import { isReturnAddress } from "./application-client.ts";
import { isRefusal } from "./require-scopes.ts";

/** The provider checks the return address when the request comes, and not again when a code goes out to it. */
export function requireRegisteredAddress({ oidc }: KoaContextWithOIDC): void {
  const { client, params } = oidc;
  if (client === undefined || !isReturnAddress(client, params?.redirect_uri))
    throw new errors.InvalidRedirectUri();
}

/**
 * Nor when an error goes out that an authorization is resumed with: that the PSU has declined, a refused scope, or another reason to go back. Such
 * an interaction waits on, and is resumed once the address is registered again. Refuses a blocked TPP as `ClientBlocked`; a
 * deleted application the provider refuses itself.
 */
export async function requireAddressOfError({ params, result }: AdapterPayload): Promise<void> {
  const { ctx } = Provider;
  const isError = result?.error !== undefined || isRefusal(result);
  if (ctx?.oidc.route !== "resume" || !isError) return;
  const client = await ctx.oidc.provider.Client.find(String(params?.client_id));
  if (client !== undefined && !isReturnAddress(client, params?.redirect_uri))
    throw new errors.InvalidRedirectUri();
}
