import type { RawAnswer } from "../support/raw-https.ts";
import { consent } from "./psu-browser.ts";
import type { RunningAuth } from "./running-auth.ts";
import { FORM_BODY, postForm, REDIRECT_URI, type TestApplication } from "./test-application.ts";

/** What a TPP gets for a code. */
export interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
}

/** Obtains a PSU's consent, and returns the code that the TPP gets. */
export async function codeFor(...asked: Parameters<typeof consent>): Promise<string> {
  return (await consent(...asked)).searchParams.get("code") ?? "";
}

/** Redeems a code; `more` adds to the form, or replaces fields. */
export function redeem(
  auth: RunningAuth,
  application: TestApplication,
  code: string,
  more: Readonly<Record<string, string>> = {},
): Promise<RawAnswer> {
  const fields = { grant_type: "authorization_code", redirect_uri: REDIRECT_URI, code, ...more };
  return postForm(auth, "/oauth/token", application, fields);
}

/** Obtains a PSU's consent, and returns the TPP's tokens. */
export async function tokensFor(
  auth: RunningAuth,
  application: TestApplication,
  input?: Parameters<typeof consent>[2],
): Promise<Tokens> {
  return JSON.parse((await redeem(auth, application, await codeFor(auth, application, input))).body);
}

/** Uses a refresh token; `more` is added to the form. */
export function refresh(
  auth: RunningAuth,
  application: TestApplication,
  refresh_token: string,
  more: Readonly<Record<string, string>> = {},
): Promise<RawAnswer> {
  const fields = { grant_type: "refresh_token", refresh_token, ...more };
  return postForm(auth, "/oauth/token", application, fields);
}

/** Introspects a token as `resource` does; the answer is JSON unless the headers ask for another type. */
export function introspect(
  auth: RunningAuth,
  token: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<RawAnswer> {
  const body = new URLSearchParams({ token, client_id: "resource" }).toString();
  return auth.callAsBank({
    method: "POST",
    path: "/oauth/introspect",
    headers: { ...FORM_BODY, ...headers },
    body,
  });
}

/** Whether a token is active. */
export async function isActive(auth: RunningAuth, token: string): Promise<boolean> {
  return JSON.parse((await introspect(auth, token)).body).active;
}
