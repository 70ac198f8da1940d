/**
 * The composition root of the resource server: it opens the database, the client to auth, and three listeners, from top
 * to bottom, and says when they may be called. It decides nothing itself.
 */
import { createCertificateVerifier } from "@cobs/psd2-certificates";
import {
  openService,
  openServiceListener,
  openServiceOperator,
  type ServiceParts,
  type ServiceProcess,
} from "@cobs/service-edge";
import type { Bank } from "./bank/bank.ts";
import { openSandboxBank } from "./bank/sandbox-bank-postgres.ts";
import type { ResourceConfiguration } from "./config.ts";
import { createBankRoutes } from "./http/bank-routes.ts";
import { presentBankError, presentBankProtocolError } from "./http/present-bank-error.ts";
import { presentError, presentProtocolError } from "./http/present-error.ts";
import { createTppRoutes } from "./http/tpp-routes.ts";
import { introspectAtAuth } from "./introspection/introspect-token.ts";
import { rememberIntrospections } from "./introspection/remember-introspections.ts";
import { fetchVerificationKeys, type VerificationKeys } from "./introspection/verification-keys.ts";
import { MIGRATIONS_DIRECTORY } from "./migrations-directory.ts";

/** The ports that are open. */
export interface ResourcePorts {
  readonly mutualTls: number;
  readonly bank: number;
  readonly operator: number;
}

interface Opened extends ServiceParts {
  readonly config: ResourceConfiguration;
  readonly bank: Bank;
  readonly keys: VerificationKeys;
}

/** Migrates, opens everything, and resolves with the ports; what was opened is closed by the lifecycle. */
export async function startResource(
  config: ResourceConfiguration,
  process: ServiceProcess,
): Promise<ResourcePorts> {
  const peer = { name: "auth", bankUrl: config.authBankUrl };
  const parts = await openService(config, process, {
    name: "resource",
    migrations: MIGRATIONS_DIRECTORY,
    peer,
  });
  const keys = fetchVerificationKeys(parts.peer, parts.clock);
  const opened = { ...parts, config, keys, bank: openBank(config, parts) };
  return {
    mutualTls: await openForTpps(opened),
    bank: await openForBank(opened),
    operator: await openForOperator(opened),
  };
}

/** The bank that configuration names. */
function openBank({ bank }: ResourceConfiguration, { database }: ServiceParts): Bank {
  switch (bank) {
    case "sandbox":
      return openSandboxBank(database);
  }
}

function openForTpps(opened: Opened): Promise<number> {
  const { config, clock, keys, peer } = opened;
  const { issuer, introspectionClientId: clientId, resourceServer, freshnessSeconds } = config;
  const agreement = { issuer, clientId, resourceServer };
  const asked = introspectAtAuth(agreement, { client: peer, keys, clock });
  const verifier = createCertificateVerifier({ anchors: config.anchors });
  const introspection = rememberIntrospections(asked, { freshnessSeconds, clock });
  return openServiceListener(opened, {
    name: "mutual-tls",
    port: config.mutualTlsPort,
    keyPair: config.server,
    // Requested, not required: a call without a good certificate gets an answer of the standard, not an alert.
    clientCertificates: { kind: "requested", authorities: config.anchors.anchors.map(({ pem }) => pem) },
    url: config.baseUrl,
    routes: createTppRoutes(opened.bank, { verifier, introspection, clock }),
    responses: "data",
    presentError,
    presentProtocolError,
  });
}

function openForBank(opened: Opened): Promise<number> {
  const { config, bank } = opened;
  return openServiceListener(opened, {
    name: "bank",
    port: config.bankPort,
    keyPair: config.bankServer,
    clientCertificates: { kind: "required", authorities: [config.bankAuthority] },
    url: config.bankUrl,
    routes: createBankRoutes(bank, config.bankCallers),
    responses: "data",
    presentError: presentBankError,
    presentProtocolError: presentBankProtocolError,
  });
}

/**
 * Ready means: the database answers, and auth's keys were fetched once. A process that has never reached auth admits
 * nobody and shall get no calls; one that has lost auth later still serves what it remembers, and answers 503 itself.
 */
function openForOperator(opened: Opened): Promise<number> {
  const { database, keys } = opened;
  return openServiceOperator(opened, async () => {
    const [databaseAnswers, authKeys] = await Promise.all([database.answers(), keys.wereFetched()]);
    return { database: databaseAnswers, authKeys };
  });
}
