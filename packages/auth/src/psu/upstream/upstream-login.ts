/**
 * The login of a bank that has one already: an OpenID provider, which asks everything. This folder owns the question (code flow
 * with PKCE, demanding a fresh and strong authentication), what proves its answer, and what is kept of people. How the provider
 * authenticates them, and how it stops guessing, is the bank's.
 */
import type { KeyObject } from "node:crypto";
import type { Language } from "@cobs/cobs-model";
import type { Clock, Log } from "@cobs/service-edge";
import * as oidc from "openid-client";
import type { PsuLogin, SignInMemory, SignInOutcome } from "../psu-login.ts";
import { judgeClaims } from "./judge-claims.ts";
import type { LoginMetrics } from "./login-metrics.ts";
import { redeemAnswer } from "./redeem-answer.ts";
import { type AskedUpstream, isAsked, openAsked, sealAsked, stateOf } from "./upstream-memory.ts";
import type { UpstreamPeople } from "./upstream-people-postgres.ts";
import type { UpstreamProvider } from "./upstream-provider.ts";
import { UpstreamRefusal } from "./upstream-refusal.ts";
import type { UpstreamSettings } from "./upstream-settings.ts";

/** What the login is made of. */
export interface UpstreamLoginParts {
  readonly settings: UpstreamSettings;
  readonly provider: UpstreamProvider;
  readonly people: UpstreamPeople;
  /** Where browsers come back, as registered at the provider. */
  readonly redirectUri: string;
  /** From `deriveAskingKey`. */
  readonly askingKey: KeyObject;
  readonly metrics: LoginMetrics;
  readonly clock: Clock;
  readonly log: Log;
}

/** Makes the login; its `begin` and `take` throw `PrivateServiceUnavailable` while the provider does not answer. */
export function createUpstreamLogin(parts: UpstreamLoginParts): PsuLogin {
  const { people, askingKey } = parts;
  return {
    asks: "elsewhere",
    begin: (returnState) => ask(parts, returnState),
    wrote: (memory) => isAsked(askingKey, memory),
    present: async (memory, language) => ({
      page: "elsewhere",
      location: inLanguage(openAsked(askingKey, memory), language),
    }),
    take: async (memory, answer, { now, requestId }) =>
      answer.kind === "return"
        ? enter(parts, { memory, parameters: answer.parameters, now, requestId })
        : { outcome: "refused" },
    find: (psu) => people.find(psu),
  };
}

async function ask(parts: UpstreamLoginParts, state: string): Promise<SignInMemory> {
  const configuration = await parts.provider();
  const nonce = oidc.randomNonce();
  const codeVerifier = oidc.randomPKCECodeVerifier();
  const location = oidc.buildAuthorizationUrl(configuration, {
    redirect_uri: parts.redirectUri,
    scope: parts.settings.scope,
    state,
    nonce,
    code_challenge: await oidc.calculatePKCECodeChallenge(codeVerifier),
    code_challenge_method: "S256",
    // A PSU who is signed in there must prove it again: each consent has an authentication of its own.
    prompt: "login",
    max_age: "0",
    ...demandStrong(configuration, parts.settings),
  });
  const askedAt = parts.clock.now().getTime();
  return sealAsked(parts.askingKey, { location: location.href, nonce, codeVerifier, askedAt });
}

/** Where a question is asked, in a language (OIDC Core 3.1.2.1). */
function inLanguage({ location }: AskedUpstream, language: Language): string {
  const url = new URL(location);
  url.searchParams.set("ui_locales", language);
  return url.href;
}

/**
 * Demands strong authentication: as an essential claim where the provider supports that (OIDC Core 5.5.1.1), and as a preference
 * everywhere.
 */
function demandStrong(
  configuration: oidc.Configuration,
  { acrValues, psuClaim, nameClaim }: UpstreamSettings,
): Record<string, string> {
  const asPreference = { acr_values: acrValues.join(" ") };
  if (configuration.serverMetadata().claims_parameter_supported !== true) return asPreference;
  const claims = {
    auth_time: { essential: true },
    [nameClaim]: null,
    ...(psuClaim !== "sub" && { [psuClaim]: { essential: true } }),
    acr: { essential: true, values: acrValues },
  };
  return { ...asPreference, claims: JSON.stringify({ id_token: claims }) };
}

interface CameBack {
  readonly memory: SignInMemory;
  readonly parameters: URLSearchParams;
  readonly now: Date;
  /** The reference that the page shows to the PSU. */
  readonly requestId: string;
}

async function enter(parts: UpstreamLoginParts, back: CameBack): Promise<SignInOutcome> {
  const { settings, people, metrics } = parts;
  const log = parts.log.child({ requestId: back.requestId });
  try {
    const asked = openAsked(parts.askingKey, back.memory);
    const configuration = await parts.provider();
    const checks = { ...asked, state: stateOf(asked) };
    const claims = await redeemAnswer({ ...parts, log, configuration }, back.parameters, checks);
    // The provider may take seconds to issue the ID token.
    const between = { askedAt: new Date(asked.askedAt), now: parts.clock.now() };
    const person = judgeClaims(claims, settings, between);
    await people.remember(person, back.now);
    metrics.answered("accepted");
    const { psu, authenticatedAt } = person;
    return { outcome: "signed-in", psu, methods: ["upstream"], authenticatedAt };
  } catch (error) {
    if (!(error instanceof UpstreamRefusal)) throw error;
    metrics.answered(error.code);
    log.warn({ refusal: error.code, detail: error.message }, "a sign-in at the bank's provider was refused");
    return { outcome: "refused", ...(error.psu && { psu: error.psu }) };
  }
}
