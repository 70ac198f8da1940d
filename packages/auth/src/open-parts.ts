/** The parts of the authorization server behind its listeners, each made from those above it. It decides nothing itself. */
import {
  certificateRefusalMeanings,
  createTppVerification,
  explainRefused,
  parseTrustAnchors,
} from "@cobs/psd2-certificates";
import {
  type BankRight,
  createRefusalAnswers,
  openCertificateParts,
  requireTrustedDatabaseClock,
  type ServiceParts,
  watchTrustAnchors,
  whenDatabaseAnswers,
} from "@cobs/service-edge";
import { createApplicationStore } from "./applications/application-postgres.ts";
import { bankOriginsOf, withoutBankAddresses } from "./applications/bank-origins.ts";
import { createKeysFetch } from "./applications/keys-fetch.ts";
import { withOfferedScopes } from "./applications/offered-scopes.ts";
import { createPublishedKeys, NO_PUBLISHED_KEYS, type PublishedKeys } from "./applications/published-keys.ts";
import { requiresFapi2 as isFapi2Required } from "./applications/required-profile.ts";
import { createPsuAccounts } from "./bank/resource-psu-accounts.ts";
import type { AuthConfiguration } from "./config.ts";
import { endConsentsOfApplication } from "./consent/end-consents-postgres.ts";
import type { Ephemeral } from "./ephemeral/open-ephemeral.ts";
import { createPageErrorPresenter } from "./http/pages/present-page-error.ts";
import { followKeys } from "./keys/follow-keys.ts";
import { importCookieKeys, importSigningKeys } from "./keys/import-keys.ts";
import { createKeyStore } from "./keys/key-store-postgres.ts";
import type { KeyUse } from "./keys/server-key.ts";
import { createRateLimitMetrics, type RateLimitMetrics } from "./limits/rate-limit-metrics.ts";
import { createRateLimits, type RateLimits } from "./limits/rate-limits.ts";
import type { SignInNotices } from "./notices/sign-in-change.ts";
import { createSignInNotices } from "./notices/sign-in-notices-postgres.ts";
import { openConsents } from "./open-consents.ts";
import { openDelivery } from "./open-delivery.ts";
import { openLogin, openSignIn } from "./open-login.ts";
import { createPages } from "./pages/pages.ts";
import { createAuthorizationServer } from "./provider/authorization-server.ts";
import { startRecordingRefusals } from "./psu/record-refusals-postgres.ts";
import { recordSignIns } from "./psu/record-sign-ins-postgres.ts";
import type { PsuBlocks } from "./psu-block/psu-blocks.ts";
import { createPsuBlocks } from "./psu-block/psu-blocks-postgres.ts";
import { createTppIdentification } from "./tpp/identify-tpp.ts";
import { createRefusalNotes } from "./tpp/note-refusals.ts";
import { createStopList } from "./tpp/stop-list-postgres.ts";
import { createTppStore } from "./tpp/tpp-postgres.ts";
import { tppRefusals } from "./tpp/tpp-refusal.ts";

/** What the parts stand on: the service with its database, the keys, and the records that may be lost. */
export type Foundations = ServiceParts & Keys & { readonly ephemeral: Ephemeral };

type Keys = Awaited<ReturnType<typeof openKeys>>;

/** Opens the keys that this server generates, or imported from files at its first start. */
export async function openKeys(config: AuthConfiguration, parts: ServiceParts) {
  const { database, log, lifecycle, countJob } = parts;
  const { sealingKey, keyTerms: terms, signingKeys, cookieKeys } = config;
  const keyStore = createKeyStore(database, { sealingKey, terms });
  // A clock far ahead would postdate the next key, and no other would be made until then.
  const announceDue = async (use: KeyUse) => {
    await requireTrustedDatabaseClock(parts);
    return keyStore.announceDue(use);
  };
  const keys = await whenDatabaseAnswers(async () => {
    await keyStore.begin("signing", signingKeys ? importSigningKeys(signingKeys) : []);
    await keyStore.begin("cookie", cookieKeys ? importCookieKeys(cookieKeys) : []);
    return followKeys({ ...keyStore, announceDue }, log, countJob("keys"));
  }, log);
  lifecycle.onStop("keys", keys.stop);
  return { keyStore, keys };
}

const REFUSAL_CODES = [...Object.keys(certificateRefusalMeanings), ...Object.keys(tppRefusals)];

/** Opens the identification of TPPs, which is the same for all their routes. */
function openIdentification(config: AuthConfiguration, parts: ServiceParts) {
  const { database, clock, countCache } = parts;
  const { metrics, refusals, revocation } = openCertificateParts(parts, REFUSAL_CODES);
  const verification = createTppVerification({ anchors: config.anchors, revocation, countCache });
  watchTrustAnchors(parts, verification, { parse: parseTrustAnchors, metrics });
  const tpps = createTppStore(database, clock);
  const stopList = createStopList(database);
  const noteRefusals = createRefusalNotes({ refusals, metrics, clock });
  const identify = createTppIdentification({ verification, stopList, tpps, noteRefusals, clock });
  const explainRefusals = createRefusalAnswers(refusals, (refused) =>
    explainRefused(refused, verification.anchors()),
  );
  return { verification, tpps, stopList, identify, noteRefusals, explainRefusals };
}

/** Opens the store of applications, which offers no more than the bank does and leads nobody to the bank's own hosts. */
function openApplications(config: AuthConfiguration, { database }: Pick<Foundations, "database">) {
  const registered = createApplicationStore(database, endConsentsOfApplication);
  const offered = withOfferedScopes(registered, config.applications.offeredScopes);
  return withoutBankAddresses(offered, bankOriginsOf(config));
}

/** Opens the login of PSUs, whose sign-ins and refusals are recorded, and the sessions that follow from it. */
function openRecordedLogin(
  config: AuthConfiguration,
  parts: Foundations & { readonly notices: SignInNotices; readonly psuBlocks: PsuBlocks },
) {
  const { database, clock, log, lifecycle, countJob, psuBlocks } = parts;
  const { login: unrecorded, enrolment, passkeys } = openLogin(config, parts);
  const refusals = startRecordingRefusals({ database, clock, log, again: countJob("refused_sign_ins") });
  lifecycle.onStop("refused sign-ins", refusals.stop);
  const login = recordSignIns(unrecorded, { database, blocks: psuBlocks, refusals });
  return { login, signIn: openSignIn(config, { ...parts, login }), enrolment, passkeys };
}

/** Opens the parts, each from those above it. */
export function openParts(config: AuthConfiguration, parts: Foundations) {
  const { clock, log, database, keys } = parts;
  const identification = openIdentification(config, parts);
  const { tpps } = identification;
  const applications = openApplications(config, parts);
  const publishedKeys = openPublishedKeys(config, parts);
  const requiresFapi2 = () => isFapi2Required(config.requiredProfile, clock.now());
  const { consents, psuConsents, consentUses, cardConsents } = openConsents(parts);
  const resource = parts.outgoing.ofClient(parts.peer, "resource_accounts");
  const psuAccounts = createPsuAccounts(resource, log);
  const psuBlocks = createPsuBlocks(database, clock);
  const pages = createPages({ bankName: config.bankName, ...config.theme });
  const notices = createSignInNotices(pages.writeNotice);
  const { login, signIn, enrolment, passkeys } = openRecordedLogin(config, { ...parts, notices, psuBlocks });
  const delivery = openDelivery(config, parts);
  const limitMetrics = createRateLimitMetrics(parts.metrics);
  const limits = openLimits(config, { ...parts, limitMetrics });
  const presentPage = createPageErrorPresenter(pages);
  const authorizationServer = createAuthorizationServer({
    issuer: config.issuer,
    resourceServer: config.resourceServer,
    codeLifetimeSeconds: config.codeLifetimeSeconds,
    accessTokenLifetimeSeconds: config.accessTokenLifetimeSeconds,
    consentLifetimeDays: config.consentLifetimeDays,
    requiresFapi2,
    honoursOwnLifetime: config.mode === "sandbox",
    introspectors: callersWith(config, "introspect"),
    findPsu: (psu) => login.find(psu),
    sessions: signIn.sessions,
    openEphemeralStore: parts.ephemeral.openStore,
    applications,
    publishedKeys,
    consents,
    consentUses,
    tpps,
    database,
    keys,
    countLimited: limitMetrics.limited,
    presentPage,
    clock,
    log,
  });
  return {
    ...identification,
    applications,
    fetchesKeys: publishedKeys.fetches,
    requiresFapi2,
    consents,
    psuConsents,
    cardConsents,
    psuAccounts,
    psuBlocks,
    signIn,
    enrolment,
    passkeys,
    delivery,
    limits,
    pages,
    presentPage,
    authorizationServer,
  };
}

/** Opens the source of the keys that TPPs publish themselves. */
function openPublishedKeys({ applications }: AuthConfiguration, parts: ServiceParts): PublishedKeys {
  const { clock, log, lifecycle, outgoing } = parts;
  if (applications.publishedKeys === undefined) return NO_PUBLISHED_KEYS;
  const guarded = createKeysFetch(applications.publishedKeys);
  lifecycle.onStop("keys of applications", () => guarded.close());
  const fetch = outgoing.ofFetch(guarded.fetch, "tpp_keys");
  return createPublishedKeys({ fetch, clock, log });
}

/** Opens the rate limits, whose counts all processes share. */
function openLimits(
  { rateLimits: settings }: AuthConfiguration,
  parts: Foundations & { readonly limitMetrics: RateLimitMetrics },
): RateLimits {
  const { ephemeral, clock, log, limitMetrics: metrics } = parts;
  const { rateLimitStore: store } = ephemeral;
  return createRateLimits({ store, settings, metrics, clock, log });
}

function callersWith({ bankCallers }: AuthConfiguration, right: BankRight): readonly string[] {
  return [...bankCallers].filter(([, rights]) => rights.has(right)).map(([name]) => name);
}
