import { randomUUID } from "node:crypto";
import type { CustomFetch } from "openid-client";
import type { SandboxDocument } from "../../packages/sandbox/src/sandbox-folder/sandbox-document.ts";
import { authorizeAsPsu } from "../../packages/sandbox/src/tpp/authorize-as-psu.ts";
import { createFormBrowser, type FormBrowser } from "../../packages/sandbox/src/tpp/form-browser.ts";
import type { TppApplication } from "../../packages/sandbox/src/tpp/oauth-client.ts";
import { signAsPsu } from "../../packages/sandbox/src/tpp/sign-as-psu.ts";
import { openTppFetch } from "../../packages/sandbox/src/tpp/tpp-fetch.ts";
import { openUsedSteps, usedStepsFile } from "../../packages/sandbox/src/tpp/used-steps-file.ts";
import { until } from "../support/eventually.ts";
import type { TppClient } from "../support/tpp-client.ts";
import { runSql } from "./journey-sandbox.ts";

const USERNAME = "jana";
/** Form members whose values are public, or fixed words of the form. */
const PUBLIC_FIELDS = /^(action|services?|scope|grant_type|redirect_uri|client_id|response_type|username)$/;
const SHORTEST_SECRET = 6;

/** Values from the wire that no log may hold, each with a description. */
export type Secrets = Map<string, string>;

/** A browser that records typed values and cookies in `secrets`. */
function recordingBrowser(fetch: CustomFetch, returnUrl: string, secrets: Secrets): FormBrowser {
  const recording: CustomFetch = async (url, options) => {
    for (const [name, value] of new URLSearchParams(String(options.body ?? "")))
      if (!PUBLIC_FIELDS.test(name)) keep(secrets, `the field ${name}`, value);
    const answer = await fetch(url, options);
    for (const cookie of answer.headers.getSetCookie())
      keep(secrets, "a cookie", cookie.split(";")[0]?.split("=").slice(1).join("="));
    return answer;
  };
  return createFormBrowser(recording, returnUrl);
}

function keep(secrets: Secrets, what: string, value: string | undefined): void {
  if (value !== undefined && value.length >= SHORTEST_SECRET) secrets.set(value, what);
}

/**
 * Registers, consents, pays, asks and is refused in many ways; returns every secret or personal value that was sent or
 * answered.
 */
export async function goThroughRecordedJourney(document: SandboxDocument, tpp: TppClient): Promise<Secrets> {
  const secrets: Secrets = new Map();
  const application = await tpp.register(["aisp", "pisp"]);
  keep(secrets, "the client secret", application.clientSecret);
  const psu = document.psus.find(({ username }) => username === USERNAME);
  if (psu === undefined) throw new Error(`there is no PSU ${USERNAME}`);
  keep(secrets, "the name of the PSU", psu.displayName);
  for (const { iban } of psu.accounts) keep(secrets, "an IBAN", iban);
  const tokens = await authorizeRecorded(document, application, { tpp, secrets });
  await askMuch(tpp, document, tokens);
  await payRecorded(document, application, { tpp, secrets, token: tokens.access });
  return secrets;
}

interface Recording {
  readonly tpp: TppClient;
  readonly secrets: Secrets;
}

async function authorizeRecorded(
  document: SandboxDocument,
  application: TppApplication,
  { tpp, secrets }: Recording,
) {
  const web = await openTppFetch(document.ca);
  const { clientId: client_id, clientSecret: client_secret, redirectUri: redirect_uri } = application;
  const browser = recordingBrowser(web.fetch, redirect_uri, secrets);
  const state = randomUUID();
  keep(secrets, "the state", state);
  const url = new URL("/oauth/authorize", document.issuer);
  const asked = { response_type: "code", client_id, redirect_uri, state, scope: "aisp pisp" };
  url.search = new URLSearchParams(asked).toString();
  const context = {
    sandbox: document,
    usedSteps: openUsedSteps(usedStepsFile(document.directory)),
    tell: () => undefined,
  };
  const psu = { url, redirectUri: redirect_uri, username: USERNAME, accounts: "all" as const, browser };
  const code = (await authorizeAsPsu(context, psu)).searchParams.get("code") ?? "";
  keep(secrets, "the code", code);
  const redeem = async (grant: Readonly<Record<string, string>>) => {
    const form = new URLSearchParams({ client_id, client_secret, ...grant });
    const answer = await tpp.fetch(`${document.auth.mutualTls}/oauth/token`, {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: form.toString(),
      redirect: "manual",
    });
    return Object(await answer.json());
  };
  const given = await redeem({ grant_type: "authorization_code", code, redirect_uri });
  // Both are refused, and both carry a secret.
  await redeem({ grant_type: "authorization_code", code: `${code}x`, redirect_uri });
  const renewed = await redeem({ grant_type: "refresh_token", refresh_token: given.refresh_token });
  await redeem({ grant_type: "refresh_token", refresh_token: given.refresh_token, scope: "everything" });
  await web.close();
  for (const each of [given, renewed]) {
    keep(secrets, "an access token", each.access_token);
    keep(secrets, "a refresh token", each.refresh_token);
  }
  return { access: String(renewed.access_token), refresh: String(given.refresh_token) };
}

/** Reads all documents, and is refused with tokens in wrong places. */
async function askMuch(
  tpp: TppClient,
  document: SandboxDocument,
  tokens: { readonly access: string; readonly refresh: string },
): Promise<void> {
  const answer = await tpp.get(tokens.access, "/my/accounts");
  const accounts: readonly { id: string }[] = Object(await answer.json()).accounts;
  for (const { id } of accounts.slice(0, 2)) {
    await tpp.get(tokens.access, `/my/accounts/${id}/balance`);
    await tpp.get(tokens.access, `/my/accounts/${id}/transactions?size=5`);
    await tpp.get(tokens.access, `/my/accounts/${id}/transactions?size=nonsense`);
  }
  await tpp.get(tokens.refresh, "/my/accounts");
  await tpp.get("", `/my/accounts?access_token=${tokens.access}`);
  await tpp.get(tokens.access, `/my/accounts/${tokens.access}/balance`);
  await tpp.fetch(`${document.auth.mutualTls}/oauth/revoke/${tokens.refresh}`, {
    method: "POST",
    headers: { authorization: `Bearer ${tokens.refresh}` },
    body: `token=${tokens.refresh}`,
    redirect: "manual",
  });
}

/** Pays once correctly, and asks for payments that are refused; the payee's name and account are personal data. */
async function payRecorded(
  document: SandboxDocument,
  application: TppApplication,
  { tpp, secrets, token }: Recording & { readonly token: string },
): Promise<void> {
  const account = document.psus
    .find(({ username }) => username === USERNAME)
    ?.accounts.find(({ currency }) => currency === "CZK");
  const [iban, name, remittance] = ["CZ6508000000192000145399", "Otakar Neznámý", "nájem za byt 12"];
  for (const [what, value] of [
    ["the payee's IBAN", iban],
    ["the payee's name", name],
    ["the text", remittance],
  ] as const)
    keep(secrets, what, value);
  const order = {
    paymentIdentification: {
      instructionIdentification: randomUUID().slice(0, 30),
      endToEndIdentification: "NOTPROVIDED",
    },
    amount: { instructedAmount: { value: 1.5, currency: "CZK" } },
    debtorAccount: { identification: { iban: account?.iban } },
    creditor: { name },
    creditorAccount: { identification: { iban } },
    paymentTypeInformation: { instructionPriority: "INST" },
    remittanceInformation: { unstructured: remittance },
  };
  const ask = async (method: string, path: string, body: object | string) => {
    const answer = await tpp.fetch(`${document.resourceBase}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: typeof body === "string" ? body : JSON.stringify(body),
      redirect: "manual",
    });
    return Object(await answer.json());
  };
  const { transactionIdentification: paymentId, signInfo } = await ask("POST", "/my/payments", order);
  await ask("POST", "/my/payments", order);
  await ask("POST", "/my/payments", {
    ...order,
    amount: { instructedAmount: { value: -1, currency: iban } },
  });
  await ask("POST", "/my/payments", `{"creditor": {"name": "${name}"`);
  const sign = `/my/payments/${paymentId}/sign/${signInfo.signId}`;
  const { href } = await ask("POST", sign, { authorizationType: "USERAGENT_REDIRECT" });
  const web = await openTppFetch(document.ca);
  const browser = recordingBrowser(web.fetch, application.redirectUri, secrets);
  const context = {
    sandbox: document,
    usedSteps: openUsedSteps(usedStepsFile(document.directory)),
    tell: () => undefined,
  };
  const url = new URL(href.url);
  await signAsPsu(context, { url, returnUrl: application.redirectUri, username: USERNAME, browser });
  await web.close();
  const state = async () => {
    const read = "SELECT state FROM payment WHERE payment_id = $1";
    const [row] = await runSql(document.databases.resource, read, [paymentId]);
    return Object(row).state;
  };
  await until(async () => (await state()) === "completed", "the payment is booked");
}
