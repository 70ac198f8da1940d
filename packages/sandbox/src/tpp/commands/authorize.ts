import { authorizeAsPsu } from "../authorize-as-psu.ts";
import { type CommandContext, type CommandResult, masked, splitScopes, withCertificate } from "../command.ts";
import type { Tokens } from "../oauth-client.ts";
import { sendToBrowser } from "../send-to-browser.ts";
import type { KeptApplication, KeptTokens } from "../tpp-memory.ts";
import { TppRefusal } from "../tpp-refusal.ts";

/** Options of `authorize`. */
export interface AuthorizeOptions {
  readonly application?: string | undefined;
  readonly scope?: string | undefined;
  /** Username of the PSU to play; without it a person acts in a browser. */
  readonly psu?: string | undefined;
  /** `all`, or ids separated by commas. */
  readonly accounts: string;
  /** Seconds. */
  readonly timeout: number;
}

/**
 * Gets tokens with the authorization code flow (COBS PDF 1.4.3, 1.4.4), with PKCE, `state` and `iss` checked. Refuses with
 * `usage` a choice of accounts for a person, who chooses in the browser.
 */
export async function authorize(context: CommandContext, options: AuthorizeOptions): Promise<CommandResult> {
  if (options.psu === undefined && options.accounts !== "all")
    throw new TppRefusal("usage", "--accounts needs --psu", "In a browser, the PSU chooses the accounts.");
  const application = await context.memory.application(options.application);
  const tokens = await withCertificate(context.sandbox, application.certificate, async (tpp) => {
    const client = await tpp.oauth(application);
    const authorization = await client.begin(splitScopes(options.scope)?.join(" "));
    const callback = await complete(context, { application, options, url: authorization.url });
    return keptTokens(await authorization.redeem(callback));
  });
  await context.memory.keep({ ...application, tokens });
  return { json: tokens, text: `${presentTokens(tokens)}\nNext: npm run tpp -- ${nextCommand(tokens)}` };
}

/** A command that the tokens allow: without `aisp` they list no accounts. */
function nextCommand({ scope }: KeptTokens): string {
  return scope === undefined || splitScopes(scope)?.includes("aisp") ? "accounts" : "pay --help";
}

interface Waiting {
  readonly application: KeptApplication;
  readonly options: AuthorizeOptions;
  readonly url: URL;
}

async function complete(context: CommandContext, { application, options, url }: Waiting): Promise<URL> {
  const { redirectUri } = application;
  if (options.psu !== undefined) {
    const accounts = options.accounts === "all" ? "all" : options.accounts.split(",");
    return authorizeAsPsu(context, { url, redirectUri, username: options.psu, accounts });
  }
  const isPlayable = context.sandbox.login === null;
  return sendToBrowser(context, { url, redirectUri, isPlayable, timeout: options.timeout });
}

/** The part of a token endpoint's answer that the command line keeps. */
export function keptTokens({ accessToken, refreshToken, scope, expiresIn }: Tokens): KeptTokens {
  const expiresAt =
    expiresIn === undefined ? undefined : new Date(Date.now() + expiresIn * 1000).toISOString();
  return { accessToken, refreshToken, scope, expiresAt };
}

/** Tokens for people, never in full. */
export function presentTokens({ accessToken, refreshToken, scope, expiresAt }: KeptTokens): string {
  const refresh = refreshToken === undefined ? "" : `, refresh token ${masked(refreshToken)}`;
  return `Access token ${masked(accessToken)} for ${scope ?? "the scopes asked"} until ${expiresAt ?? "?"}${refresh}.`;
}
