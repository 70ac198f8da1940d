import type { SandboxDocument } from "../../packages/sandbox/src/sandbox-folder/sandbox-document.ts";
import { authorizeAsPsu } from "../../packages/sandbox/src/tpp/authorize-as-psu.ts";
import type { TppApplication } from "../../packages/sandbox/src/tpp/oauth-client.ts";
import { openUsedSteps, usedStepsFile } from "../../packages/sandbox/src/tpp/used-steps-file.ts";

/** An authorization as COBS 2.0 clients send it, without PKCE; returns the form that redeems its code. */
export async function authorizePlainly(
  sandbox: SandboxDocument,
  application: TppApplication,
  psu: string,
): Promise<Readonly<Record<string, string>>> {
  const { clientId: client_id, clientSecret: client_secret, redirectUri: redirect_uri } = application;
  const url = new URL("/oauth/authorize", sandbox.issuer);
  url.search = new URLSearchParams({ response_type: "code", client_id, redirect_uri, state: "s" }).toString();
  const usedSteps = openUsedSteps(usedStepsFile(sandbox.directory));
  const callback = await authorizeAsPsu(
    { sandbox, usedSteps, tell: () => undefined },
    { url, redirectUri: redirect_uri, username: psu, accounts: "all" },
  );
  const code = callback.searchParams.get("code") ?? "";
  return { grant_type: "authorization_code", code, redirect_uri, client_id, client_secret };
}

/** The form that refreshes tokens. */
export function refreshForm(
  application: TppApplication,
  refreshToken: string,
): Readonly<Record<string, string>> {
  const { clientId: client_id, clientSecret: client_secret } = application;
  return { grant_type: "refresh_token", refresh_token: refreshToken, client_id, client_secret };
}
