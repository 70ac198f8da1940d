/**
 * The ready application of the sandbox. It is registered, gets a consent and tokens through the real services, as a TPP and a
 * PSU would do it, so that one line of curl works at once. Only the lifetime of its access tokens is artificial.
 */
import type { CustomFetch } from "openid-client";
import { writeWhole } from "../files/write-whole.ts";
import {
  type DocumentedPsu,
  READY_APPLICATION_NAME,
  type ReadyApplication,
  type SandboxFacts,
} from "../sandbox-folder/sandbox-document.ts";
import { openApplicationsApi } from "../tpp/applications-api.ts";
import { authorizeAsPsu } from "../tpp/authorize-as-psu.ts";
import { callbackUrl } from "../tpp/callback-url.ts";
import { explainError } from "../tpp/explain-error.ts";
import { openOAuthClient, type TppApplication } from "../tpp/oauth-client.ts";
import type { UsedSteps } from "../tpp/one-time-codes.ts";
import { withPsuBrowser } from "../tpp/psu-browser.ts";
import { openTppFetch } from "../tpp/tpp-fetch.ts";
import { fetchAgain } from "./fetch-again.ts";
import { readReadyApplication } from "./read-ready-application.ts";
import { SandboxRefusal } from "./sandbox-refusal.ts";

/** What making the ready application needs besides the running services. */
export interface ReadyApplicationParts {
  /** Where it is kept for later starts. */
  readonly file: string;
  readonly usedSteps: UsedSteps;
  /** Extends the access tokens of this one application. */
  readonly lengthenTokens: (clientId: string) => Promise<void>;
  /** Resolves when the PSU can sign in. */
  readonly seeded: Promise<void>;
  readonly say: (line: string) => void;
}

const CERTIFICATE = "all-roles";
/** Limit for an answer: a machine that starts everything at once may be that slow. */
const PATIENCE_MILLISECONDS = 60_000;

/**
 * Gives the ready application of an earlier start if it still works, otherwise makes one; gives null if that needs a login or
 * a core system of the integrator's own. Refuses with `ready_application`.
 */
export async function keepReadyApplication(
  facts: SandboxFacts,
  parts: ReadyApplicationParts,
): Promise<ReadyApplication | null> {
  const certificate = facts.certificates.find(({ name }) => name === CERTIFICATE);
  const psu = facts.psus.at(-1);
  if (certificate === undefined || psu === undefined)
    throw new TypeError("the sandbox has no certificate or PSU");
  const tpp = await openTppFetch(facts.ca, certificate, PATIENCE_MILLISECONDS);
  try {
    const kept = await readReadyApplication(parts.file);
    const fetch = fetchAgain(tpp.fetch, parts);
    if (kept !== undefined && (await stillWorks(facts, kept, fetch))) return kept;
    if (facts.login !== null || facts.core !== null) return null;
    const made = await make(facts, { ...parts, fetch, psu });
    await writeWhole(parts.file, JSON.stringify(made), 0o600);
    return made;
  } catch (cause) {
    const explained = await explainError(cause);
    const reason = explained instanceof Error ? explained.message : String(explained);
    throw new SandboxRefusal("ready_application", `The ready application could not be made: ${reason}`, {
      cause,
    });
  } finally {
    await tpp.close();
  }
}

type Making = ReadyApplicationParts & { readonly fetch: CustomFetch; readonly psu: DocumentedPsu };

async function make(facts: SandboxFacts, making: Making): Promise<ReadyApplication> {
  const { username } = making.psu;
  const application = await register(facts, making);
  await making.lengthenTokens(application.clientId);
  const client = await openOAuthClient(facts.issuer, application, making.fetch);
  const authorization = await client.begin("aisp pisp");
  await making.seeded;
  const { redirectUri } = application;
  const web = {
    ca: facts.ca,
    patient: (fetch: CustomFetch) => fetchAgain(fetch, making),
    limitMilliseconds: PATIENCE_MILLISECONDS,
  };
  const callback = await withPsuBrowser(web, redirectUri, (browser) =>
    authorizeAsPsu(
      { sandbox: facts, usedSteps: making.usedSteps, tell: making.say },
      { url: authorization.url, redirectUri, username, accounts: "all", browser },
    ),
  );
  const { accessToken: both, refreshToken } = await authorization.redeem(callback);
  if (refreshToken === undefined) throw new TypeError("auth issued no refresh token");
  const aisp = await client.refresh(refreshToken, "aisp");
  const pisp = await client.refresh(refreshToken, "pisp");
  const tokens = { aisp: aisp.accessToken, pisp: pisp.accessToken, both };
  return { ...application, certificate: CERTIFICATE, tokens, refreshToken, psu: username };
}

/** Registers the application, after removing any that an interrupted start left. */
async function register(facts: SandboxFacts, { fetch }: Making): Promise<TppApplication> {
  const api = openApplicationsApi(facts.auth.mutualTls, fetch);
  const left = (await api.list()).filter(({ client_name }) => client_name === READY_APPLICATION_NAME);
  for (const { client_id } of left) await api.remove(client_id);
  const redirectUri = callbackUrl(facts.callback.port);
  const { client_id, client_secret } = await api.register({
    applicationType: "web",
    client_name: READY_APPLICATION_NAME,
    redirect_uris: [redirectUri],
    scopes: ["aisp", "pisp"],
  });
  return { clientId: client_id, clientSecret: client_secret, redirectUri };
}

// A token without the scope gets 403, one that no longer works 401.
async function stillWorks(facts: SandboxFacts, kept: ReadyApplication, fetch: CustomFetch): Promise<boolean> {
  if (kept.redirectUri !== callbackUrl(facts.callback.port)) return false;
  const { aisp, pisp, both } = kept.tokens;
  const status = async (token: string) => {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const url = `${facts.resourceBase}/my/accounts?size=1`;
    return (await fetch(url, { method: "GET", headers, body: undefined, redirect: "manual" })).status;
  };
  if ((await status(pisp)) !== 403) return false;
  // Only the core system can answer for accounts, and another than the demo bank may be absent or not know them.
  return facts.core !== null || ((await status(aisp)) === 200 && (await status(both)) === 200);
}
