import { TOTP } from "otpauth";
import { type Dispatcher, fetch } from "undici";
import { consentAsPsu } from "../../../packages/sandbox/src/tpp/consent-as-psu.ts";
import { createFormBrowser } from "../../../packages/sandbox/src/tpp/form-browser.ts";
import { browserAgentOf, poolOf } from "./connections.ts";
import type { BenchPsus, FlowOrder } from "./load-order.ts";

const STEP_MILLISECONDS = 30_000;

const authorizations = new Map<string, number>();

/**
 * Takes the PSUs in turn, because an authenticator's code works once. Each server has its own turn: a fast server that asks for
 * no code would otherwise go through all PSUs within the half minute of the other server's codes.
 */
function nextPsu({ target, psus }: FlowOrder): string {
  const number = (authorizations.get(target.origin) ?? 0) + 1;
  authorizations.set(target.origin, number);
  return `${psus.prefix}${number % psus.count}`;
}

function codeOf({ totpSecret }: BenchPsus) {
  const timestamp = Date.now();
  const code = new TOTP({ secret: totpSecret }).generate({ timestamp });
  return { code, step: Math.floor(timestamp / STEP_MILLISECONDS) };
}

function fetchWith(dispatcher: Dispatcher): Parameters<typeof createFormBrowser>[0] {
  return async (url, { body, headers, method, redirect }) => {
    const request = { headers: { ...headers }, method, redirect, dispatcher };
    const answer = await fetch(url, { ...request, ...(typeof body === "string" && { body }) });
    const { status } = answer;
    const headersSent = new Headers([...answer.headers]);
    for (const cookie of answer.headers.getSetCookie()) headersSent.append("set-cookie", cookie);
    return new Response(await answer.text(), { status, headers: headersSent });
  };
}

/** Signs in, consents, and exchanges the code for tokens; returns the answer of the token endpoint. */
export async function authorizeAsBenchPsu(order: FlowOrder): Promise<string> {
  const { target, redirectUri, psus, client } = order;
  const browser = createFormBrowser(fetchWith(browserAgentOf(target)), redirectUri);
  const psu = { username: nextPsu(order), password: psus.password, nextCode: async () => codeOf(psus) };
  const back = await consentAsPsu(browser, new URL(order.authorizeUrl), { ...psu, accounts: "all" });
  const code = back.searchParams.get("code") ?? "";
  const form = { grant_type: "authorization_code", code, redirect_uri: redirectUri, ...client };
  const answer = await poolOf(target).request({
    path: order.tokenPath,
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams(form).toString(),
  });
  const text = await answer.body.text();
  if (answer.statusCode === 200) return text;
  throw new Error(`the token endpoint answered ${answer.statusCode}: ${text}`);
}
