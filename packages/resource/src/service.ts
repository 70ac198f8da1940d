/**
 * The composition root of the resource server: from top to bottom, it opens the database, the client to auth, and three
 * listeners, and says when they are ready for calls. It makes no decision about a call.
 */
import { createTppVerification, parseTrustAnchors, type TppVerification } from "@cobs/psd2-certificates";
import {
  type CertificateParts,
  openCertificateParts,
  openService,
  openServiceListener,
  openServiceOperator,
  PRIVATE_CALL_LIMIT_MILLISECONDS,
  type PrivateClient,
  type ServiceParts,
  type ServiceProcess,
  watchTrustAnchors,
} from "@cobs/service-edge";
import type { AdmissionParts } from "./admission/admit-call.ts";
import { keepRefusedCertificates } from "./admission/keep-refused-certificates.ts";
import { createBalanceCheckStore } from "./balance-check/balance-check-store-postgres.ts";
import { openBalanceChecks, startForgettingBalanceChecks } from "./balance-check/open-balance-checks.ts";
import { type OpenedBank, openBank } from "./bank/open-bank.ts";
import { type CardConsentMemory, createCardConsentMemory } from "./card-consent/remember-card-consents.ts";
import type { ResourceConfiguration } from "./config.ts";
import type { EndingTaker } from "./endings/ending.ts";
import { endingsAtAuth } from "./endings/endings-at-auth.ts";
import { createEndingsMetrics } from "./endings/endings-metrics.ts";
import { type Endings, followEndings } from "./endings/follow-endings.ts";
import { createBalanceCheckRecordRoute } from "./http/balance-check-record-route.ts";
import { createBankRoutes } from "./http/bank-routes.ts";
import { createInterfaceRoute } from "./http/interface-route.ts";
import { createOperatorRoutes } from "./http/operator-routes.ts";
import { createPaymentRecordRoute } from "./http/payment-record-route.ts";
import { presentBankError, presentBankProtocolError } from "./http/present-bank-error.ts";
import { presentError, presentProtocolError } from "./http/present-error.ts";
import { CERTIFICATE_CODES, countRefusals } from "./http/refusal-metrics.ts";
import { createTppRoutes, type OrderParts } from "./http/tpp-routes.ts";
import { introspectAtAuth } from "./introspection/introspect-token.ts";
import { rememberIntrospections } from "./introspection/remember-introspections.ts";
import { type RememberedTokens, rememberTokens } from "./introspection/remembered-tokens.ts";
import { fetchVerificationKeys, type VerificationKeys } from "./introspection/verification-keys.ts";
import { limitCallsAtOnce } from "./limits/calls-at-once.ts";
import { createQuestionAllowance } from "./limits/question-allowance.ts";
import { createQuestionShare } from "./limits/question-share.ts";
import { MIGRATIONS_DIRECTORY } from "./migrations-directory.ts";
import { type OpenedPayments, openPayments } from "./open-payments.ts";
import { keepStopList, type StopList, stopListOf } from "./stop-list/stop-list.ts";
import { openUnattendedAccesses } from "./unattended/open-unattended-accesses.ts";

/** Ports on which the listeners are open. */
export interface ResourcePorts {
  readonly mutualTls: number;
  readonly bank: number;
  readonly operator: number;
}

interface Opened extends ServiceParts {
  readonly config: ResourceConfiguration;
  readonly bank: OpenedBank;
  readonly payments: OpenedPayments;
  readonly keys: VerificationKeys;
  readonly certificates: CertificateParts;
  readonly verification: TppVerification;
  readonly endings: Endings;
  readonly remembered: RememberedTokens;
  readonly cardConsents: CardConsentMemory;
  readonly stopList: StopList;
}

/** Migrates the database, opens everything, and resolves with the ports; the lifecycle closes what was opened. */
export async function startResource(
  config: ResourceConfiguration,
  process: ServiceProcess,
  open: typeof openBank = openBank,
): Promise<ResourcePorts> {
  const peer = { name: "auth", bankUrl: config.authBankUrl };
  const parts = await openService(config, process, {
    name: "resource",
    migrations: MIGRATIONS_DIRECTORY,
    peer,
  });
  const certificates = openCertificateParts(parts, CERTIFICATE_CODES);
  const verification = openVerification(config, parts, certificates);
  const bank = open(config.bank, parts);
  const payments = openPayments(bank, { ...parts, peer: timedAuth(parts, "auth_signing") }, config);
  startForgettingBalanceChecks(parts, config.paymentRetentionDays);
  const endings = openEndings(config, parts, payments.takers);
  const opened = { ...parts, config, bank, payments, certificates, verification, ...endings };
  return {
    mutualTls: await openForTpps(opened),
    bank: await openForBank(opened),
    operator: openForOperator(opened),
  };
}

/** The client of auth, whose calls are timed under the name of what it is asked for. */
function timedAuth(
  { peer, outgoing }: Pick<ServiceParts, "peer" | "outgoing">,
  target: `auth_${"introspection" | "keys" | "feed" | "signing" | "card_consents"}`,
): PrivateClient {
  return outgoing.ofClient(peer, target);
}

/** Verifies with the configured anchors, and after each change of the anchor file with its new content. */
function openVerification(
  { anchors }: ResourceConfiguration,
  parts: ServiceParts,
  { revocation, metrics }: CertificateParts,
): TppVerification {
  const verification = createTppVerification({ anchors, revocation, countCache: parts.countCache });
  watchTrustAnchors(parts, verification, { parse: parseTrustAnchors, metrics });
  return verification;
}

/** Opens the memories of auth's answers, and follows auth's events from the beginning of these memories on. */
function openEndings(
  { freshnessSeconds }: ResourceConfiguration,
  parts: ServiceParts,
  others: readonly EndingTaker[],
) {
  const { clock, log, lifecycle } = parts;
  const kept = keepStopList();
  const remembered = rememberTokens();
  const cardConsents = createCardConsentMemory();
  const keys = fetchVerificationKeys({ client: timedAuth(parts, "auth_keys"), clock, log });
  const takers = [kept, remembered, cardConsents, keys, ...others];
  const following = { takers, freshnessSeconds, clock, log };
  const endings = followEndings(endingsAtAuth(timedAuth(parts, "auth_feed")), following);
  lifecycle.onStop("endings", endings.stop);
  createEndingsMetrics(parts.metrics, endings, freshnessSeconds);
  return { endings, keys, remembered, cardConsents, stopList: stopListOf(kept, endings) };
}

function openForTpps(opened: Opened): Promise<number> {
  const { config, clock, verification } = opened;
  const { historyScaMinutes, tppName, userInvolvedDefault: absentUserInvolved } = config;
  const headerRules = { tppName, absentUserInvolved };
  return openServiceListener(opened, {
    name: "mutual-tls",
    port: config.mutualTlsPort,
    keyPair: config.server,
    // Requested, not required: a call without a good certificate gets an answer of the standard instead of a TLS alert.
    clientCertificates: {
      kind: "of-tpps",
      authorities: () => verification.anchors().anchors.map(({ pem }) => pem),
    },
    url: config.baseUrl,
    routes: [
      ...opened.bank.follow(
        createTppRoutes({
          admission: openAdmission(opened),
          bank: opened.bank.bank,
          orders: config.payments === "on" ? openOrders(opened) : undefined,
          accesses: openUnattendedAccesses(opened, config.accessLimits),
          historyScaMinutes,
          headerRules,
          inSlotOf: opened.bank.followTpps(limitCallsAtOnce(config, clock)),
          clock,
        }),
      ),
      createInterfaceRoute(interfaceHostsOf(config), headerRules),
    ],
    responses: "data",
    compresses: true,
    presentError: countRefusals(presentError, opened.metrics),
    presentProtocolError,
  });
}

function openOrders(opened: Opened): OrderParts {
  return { payments: opened.payments, balanceChecks: openChecks(opened) };
}

function openChecks(opened: Opened) {
  const { bank, endings, cardConsents: memory, config } = opened;
  const parts = { ...opened, peer: timedAuth(opened, "auth_card_consents") };
  const { freshnessSeconds, balanceCheckAmountsPerHour: amountsPerHour } = config;
  return openBalanceChecks({ accounts: bank.bank, orders: bank.orders }, parts, {
    endings,
    freshnessSeconds,
    memory,
    allowance: openAllowance(opened),
    amountsPerHour,
  });
}

function interfaceHostsOf({ issuer, authMutualTlsUrl, resourceServer }: ResourceConfiguration) {
  return { issuer, authApi: authMutualTlsUrl.origin, resourceServer };
}

function openAdmission(opened: Opened): AdmissionParts {
  const { config, clock, keys, verification, stopList } = opened;
  const { issuer, bankClientName: clientId, resourceServer, freshnessSeconds } = config;
  const agreement = { issuer, clientId, resourceServer };
  const client = timedAuth(opened, "auth_introspection");
  const asked = introspectAtAuth(agreement, { client, keys, clock });
  const onCertificateRefused = keepRefusedCertificates(opened.certificates);
  const allowance = openAllowance(opened);
  const share = createQuestionShare(config.newTokensPerMinute, clock);
  const introspection = rememberIntrospections(asked, { ...opened, freshnessSeconds, allowance, share });
  return { verification, stopList, onCertificateRefused, introspection, clock };
}

/**
 * Creates an allowance for one kind of question, so that no other kind uses it up. Waiting for a turn to ask auth takes at
 * most as long as a question to auth may take.
 */
function openAllowance({ config, clock }: Opened) {
  const { unusableTokensPerMinute: perMinute, peerLimitMilliseconds } = config;
  const waitMilliseconds = peerLimitMilliseconds ?? PRIVATE_CALL_LIMIT_MILLISECONDS;
  return createQuestionAllowance({ perMinute, waitMilliseconds }, clock);
}

function openForBank(opened: Opened): Promise<number> {
  const { config, bank, payments, verification, certificates, database } = opened;
  const { bankCallers: callers } = config;
  const { refusals } = certificates;
  return openServiceListener(opened, {
    name: "bank",
    port: config.bankPort,
    keyPair: config.bankServer,
    clientCertificates: { kind: "required", authorities: () => [config.bankAuthority] },
    url: config.bankUrl,
    routes: [
      ...bank.follow(createBankRoutes(bank.bank, callers)),
      ...createOperatorRoutes({ callers, refusals, anchors: verification.anchors }),
      createPaymentRecordRoute(callers, payments.signing.store),
      createBalanceCheckRecordRoute(callers, createBalanceCheckStore(database)),
    ],
    responses: "data",
    presentError: presentBankError,
    presentProtocolError: presentBankProtocolError,
  });
}

/**
 * Ready means: the database answers, and auth's keys and stop list were fetched once. A process that has never reached auth
 * admits nobody and must get no calls. One that loses auth later still serves what it remembers, and otherwise answers 503
 * itself.
 */
function openForOperator(opened: Opened): number {
  const { database, keys, endings } = opened;
  return openServiceOperator(opened, async () => {
    const asked = [database.answers(), keys.wereFetched(), endings.hasBegun()] as const;
    const [databaseAnswers, authKeys, stopListLoaded] = await Promise.all(asked);
    return { database: databaseAnswers, authKeys, stopList: stopListLoaded };
  });
}
