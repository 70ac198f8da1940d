/**
 * The whole life of an application, step by step, on the real servers: register, authorize, read, pay, refresh, revoke,
 * delete. Each step shows briefly what was sent, never a secret in full. Only the payment is left behind, also by a demo that is
 * interrupted.
 */
import { authorizeAsPsu } from "../authorize-as-psu.ts";
import type { ApiAccess } from "../call-resource.ts";
import {
  type CommandContext,
  type CommandResult,
  masked,
  requireCertificate,
  requirePsu,
  type TppConnection,
  withCertificate,
} from "../command.ts";
import { explainError } from "../explain-error.ts";
import type { FormBrowser } from "../form-browser.ts";
import { type AccountList, listAccounts, presentAccounts } from "../list-accounts.ts";
import { listTransactions, presentTransactions, type TransactionList } from "../list-transactions.ts";
import { isFapi2 } from "../oauth-authentication.ts";
import type { OAuthClient, Tokens } from "../oauth-client.ts";
import { withPsuBrowser } from "../psu-browser.ts";
import { type Balances, presentBalances, readBalance } from "../read-balance.ts";
import type { KeptApplication } from "../tpp-memory.ts";
import { TppRefusal } from "../tpp-refusal.ts";
import { type DemoAccounts, type ExecutedPayment, findDemoAccounts, payInDemo } from "./demo-payment.ts";
import { credentialOf, type RegisterOptions, registerApplication } from "./register.ts";

/** Options of `demo`. */
export interface DemoOptions {
  readonly certificate: string;
  readonly psu?: string | undefined;
  readonly profile: RegisterOptions["profile"];
  readonly auth?: RegisterOptions["auth"];
}

interface Step {
  readonly step: string;
  readonly sent: string;
  readonly outcome: string;
}

const READING = "aisp";
const READING_AND_PAYING = "aisp pisp";
const PAYING_ROLE = "PSP_PI";

/** Plays a TPP and a PSU from registration to the end of the consent. */
export async function demo(
  context: CommandContext,
  { certificate, psu, profile, auth = profile === "fapi2" ? "private_key_jwt" : undefined }: DemoOptions,
): Promise<CommandResult> {
  const started = performance.now();
  const steps: Step[] = [];
  const note = (step: string, sent: string, outcome: string) => {
    steps.push({ step, sent, outcome });
    context.tell(`\n${steps.length}. ${step}\n   ${sent}\n   → ${outcome}`);
  };
  const usual = context.sandbox.psus.find(({ accounts }) => accounts.length > 1)?.username ?? "";
  const { username } = requirePsu(context.sandbox, psu ?? usual);
  const { roles } = requireCertificate(context.sandbox, certificate);
  const scope = roles.includes(PAYING_ROLE) ? READING_AND_PAYING : READING;
  const interrupted = interruptionOf(context);
  const application = await registerApplication(context, {
    certificate,
    name: "Demo application",
    scope,
    profile,
    auth,
  });
  note(
    "The TPP registers an application",
    `POST ${context.sandbox.auth.mutualTls}/cobs/2.0/applications, certificate ${certificate}, scopes [${scope}]${profile === "fapi2" ? `, ${auth}` : ""}`,
    `201, client_id ${application.clientId}, ${credentialOf(application)}`,
  );
  const { redirectUri } = application;
  const { list, balances, newest, payment } = await withPsuBrowser(context.sandbox, redirectUri, (browser) =>
    withCertificate(context.sandbox, certificate, (tpp) =>
      live(context, { tpp, application, scope, username, browser, note, interrupted }),
    ),
  );
  const milliseconds = Math.round(performance.now() - started);
  return {
    json: { milliseconds, steps, accounts: list, balances, transactions: newest, payment },
    text: `\nDone in ${(milliseconds / 1000).toFixed(1)} s.`,
  };
}

/** Aborted with the refusal `interrupted` at an interruption. */
function interruptionOf({ whenInterrupted }: CommandContext): AbortSignal {
  const controller = new AbortController();
  whenInterrupted(() =>
    controller.abort(new TppRefusal("interrupted", "interrupted: the demo application is removed")),
  );
  return controller.signal;
}

interface Life {
  readonly tpp: TppConnection;
  readonly application: KeptApplication;
  readonly scope: string;
  readonly username: string;
  /** The PSU's browser; the PSU signs in once. */
  readonly browser: FormBrowser;
  readonly note: (step: string, sent: string, outcome: string) => void;
  readonly interrupted: AbortSignal;
}

/** What the API answered; balances and transactions are those of the first account. */
interface Told {
  readonly list: AccountList;
  readonly balances: Balances | null;
  readonly newest: TransactionList | null;
  /** Null if the TPP may not initiate payments, or the sandbox cannot choose the accounts or read the code that approves them. */
  readonly payment: ExecutedPayment | null;
}

async function live(context: CommandContext, life: Life): Promise<Told> {
  try {
    return await Promise.race([rejectionBy(life.interrupted), use(context, stoppable(life))]);
  } finally {
    await life.tpp.applications.remove(life.application.clientId);
    life.note(
      "The TPP deletes the application",
      `DELETE ${context.sandbox.auth.mutualTls}/cobs/2.0/applications/${life.application.clientId}`,
      "204, nothing is left of it",
    );
  }
}

/** Rejects as soon as the signal is aborted, and else never ends. */
function rejectionBy(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    else signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}

/** The same life, whose steps no longer go on once it is interrupted. */
function stoppable(life: Life): Life {
  return {
    ...life,
    note: (...step) => {
      life.interrupted.throwIfAborted();
      life.note(...step);
    },
  };
}

async function use(context: CommandContext, life: Life): Promise<Told> {
  life.interrupted.throwIfAborted();
  const client = await life.tpp.oauth(life.application);
  const { accessToken: token, refreshToken } = await getTokens(context, client, life);
  const { resourceBase } = context.sandbox;
  const access = { client, token, resourceBase };
  const list = await listAccounts(access, {});
  life.note(
    "The TPP lists the accounts that the PSU chose",
    `GET ${resourceBase}/my/accounts, Authorization: Bearer ${masked(token)}, the same certificate`,
    `200\n\n${presentAccounts(list)}`,
  );
  const read = await readNewest(access, life, list);
  const payment = await pay(context, access, { ...life, list });
  if (refreshToken !== undefined) await end(context, client, { ...life, refreshToken });
  return { list, ...read, payment };
}

const NEWEST = "5";

/** Balance and newest transactions of the first account. */
async function readNewest(
  access: ApiAccess,
  { note }: Life,
  list: AccountList,
): Promise<Pick<Told, "balances" | "newest">> {
  const account = list.accounts[0]?.id;
  if (account === undefined) return { balances: null, newest: null };
  const { resourceBase } = access;
  const balances = await readBalance(access, account, {});
  note(
    "The TPP reads the balance of the first account",
    `GET ${resourceBase}/my/accounts/${account}/balance`,
    `200\n\n${presentBalances(balances)}`,
  );
  const newest = await listTransactions(access, account, { size: NEWEST });
  note(
    "The TPP lists the newest transactions",
    `GET ${resourceBase}/my/accounts/${account}/transactions?size=${NEWEST}`,
    `200\n\n${presentTransactions(newest)}`,
  );
  return { balances, newest };
}

async function pay(
  context: CommandContext,
  access: ApiAccess,
  { application, ...life }: Life & { readonly list: AccountList },
): Promise<ExecutedPayment | null> {
  const accounts = chooseAccounts(context, life);
  if (typeof accounts !== "string")
    return payInDemo(context, { ...life, ...accounts, access, returnUrl: application.redirectUri });
  context.tell(`\nA payment is left out: ${accounts}`);
  return null;
}

/** The accounts for the payment, or why the sandbox cannot pay by itself. */
function chooseAccounts(
  { sandbox }: CommandContext,
  { scope, username, list }: Pick<Life, "scope" | "username"> & { readonly list: AccountList },
): DemoAccounts | string {
  const { core, delivery } = sandbox;
  if (scope !== READING_AND_PAYING) return `the certificate does not have the role ${PAYING_ROLE}`;
  if (core !== null) {
    const from = list.accounts[0]?.identification.iban ?? "IBAN";
    return [
      `the sandbox knows no payee in the core system at ${core}`,
      `   To enter one: npm run tpp -- register, authorize --psu ${username}, and`,
      `   pay --from ${from} --to ACCOUNT --amount 1.50`,
    ].join("\n");
  }
  if (delivery !== null) return `the code that approves it goes to the service at ${delivery}`;
  return findDemoAccounts(sandbox, username) ?? `${username}, or every other PSU, has no account in crowns`;
}

async function getTokens(context: CommandContext, client: OAuthClient, life: Life): Promise<Tokens> {
  const { note, username, application, scope, browser } = life;
  const authorization = await client.begin(scope);
  const { redirectUri } = application;
  if (isFapi2(application)) {
    note(
      "The TPP pushes what it asks for, authenticated and unseen by the browser",
      `POST ${context.sandbox.auth.mutualTls}/oauth/par, response_type=code&scope=${scope}, with state and PKCE`,
      `201, request_uri ${masked(authorization.url.searchParams.get("request_uri")?.split(":").at(-1) ?? "")}`,
    );
  }
  note(
    "The TPP sends the PSU to the bank",
    `GET ${authorization.url.origin}${authorization.url.pathname}?${whatThePsuCarries(life)}`,
    "303, to the bank's sign-in page",
  );
  const callback = await authorizeAsPsu(context, {
    url: authorization.url,
    redirectUri,
    username,
    accounts: "all",
    browser,
  });
  note(
    `The PSU ${username} signs in with two factors and consents`,
    "POST the bank's forms: username, password, one-time code; then all accounts",
    `303, back to ${redirectUri} with code ${masked(callback.searchParams.get("code") ?? "")}, state and iss`,
  );
  const tokens = await authorization.redeem(callback);
  note(
    "The TPP redeems the code",
    `POST ${context.sandbox.auth.mutualTls}/oauth/token, grant_type=authorization_code, over mutual TLS`,
    `200, access token ${masked(tokens.accessToken)} for ${tokens.expiresIn} s, refresh token ${masked(tokens.refreshToken ?? "")}`,
  );
  return tokens;
}

function whatThePsuCarries({ application, scope }: Life): string {
  return isFapi2(application)
    ? "client_id=…&request_uri=…, and nothing else"
    : `response_type=code&scope=${scope}, with state and PKCE`;
}

async function end(
  context: CommandContext,
  client: OAuthClient,
  { refreshToken, note }: Life & { readonly refreshToken: string },
): Promise<void> {
  const fresh = await client.refresh(refreshToken);
  note(
    "Later, the TPP refreshes the access token",
    `POST ${context.sandbox.auth.mutualTls}/oauth/token, grant_type=refresh_token`,
    `200, access token ${masked(fresh.accessToken)}`,
  );
  await client.revoke(refreshToken);
  note(
    "The TPP revokes the refresh token, and the consent ends",
    `POST ${context.sandbox.auth.mutualTls}/oauth/revoke, token=${masked(refreshToken)}`,
    "200",
  );
  const { resourceBase } = context.sandbox;
  const access = { client, token: fresh.accessToken, resourceBase };
  const refusal = await listAccounts(access, {}).then(() => undefined, explainError);
  if (!(refusal instanceof TppRefusal))
    throw refusal ?? new TppRefusal("refused", "a revoked token was accepted");
  note(
    "With the consent, its access tokens have ended",
    `GET ${resourceBase}/my/accounts, Authorization: Bearer ${masked(fresh.accessToken)}`,
    refusal.message,
  );
}
