import { createHash } from "node:crypto";
import type { KeyPairFiles } from "@cobs/service-edge";
import type { DemoBank } from "../bank/demo-bank.ts";
import { NEWCOMER } from "../bank/person-plans.ts";
import type { SandboxCertificates } from "../certificates/sandbox-certificates.ts";
import { revocationUrls } from "../revocation/revocation-responder.ts";
import {
  type CertificatePaths,
  DOCUMENT_VERSION,
  type DocumentedNewcomer,
  type DocumentedPsu,
  type SandboxFacts,
} from "../sandbox-folder/sandbox-document.ts";
import type { SandboxCore } from "./config.ts";
import type { SandboxDatabases } from "./databases.ts";
import type { SandboxPorts } from "./env.ts";
import { ownPartsOf } from "./own-parts.ts";
import type { PsuCredentials } from "./psu-credentials.ts";
import { localUrl, resourceBase, type ServiceEnvironment } from "./service-environment.ts";

const CODE_DIGITS = 20;

/** Sources of the facts. */
export interface FactSources {
  readonly directory: string;
  readonly ports: SandboxPorts;
  readonly certificates: SandboxCertificates;
  readonly people: DocumentedPeople;
  readonly databases: SandboxDatabases;
  readonly core: SandboxCore;
  /** Variables that are handed on to auth; none by default. */
  readonly forAuth?: ServiceEnvironment;
}

/** Gathers the facts about a sandbox in the form of its document. */
export function gatherFacts(sources: FactSources): SandboxFacts {
  const { directory, ports, certificates, people, databases, core, forAuth = {} } = sources;
  const { bank } = certificates;
  return {
    version: DOCUMENT_VERSION,
    directory,
    auth: {
      browser: localUrl(ports.authBrowser),
      mutualTls: localUrl(ports.authMutualTls),
      bank: localUrl(ports.authBank),
      operator: `http://127.0.0.1:${ports.authOperator}`,
    },
    resource: {
      mutualTls: localUrl(ports.resourceMutualTls),
      bank: localUrl(ports.resourceBank),
      operator: `http://127.0.0.1:${ports.resourceOperator}`,
    },
    issuer: localUrl(ports.authBrowser),
    resourceBase: resourceBase(ports),
    core: core instanceof URL ? core.href : null,
    ...ownPartsOf(forAuth),
    ca: certificates.caFile,
    privateCa: certificates.privateCaFile,
    bankClients: { auth: paths(bank.auth), resource: paths(bank.resource), operator: paths(bank.operator) },
    certificates: certificates.tpp.map((each) => ({
      name: each.name,
      ...paths(each),
      organisationIdentifier: each.organisationIdentifier,
      organisationName: each.organisationName,
      roles: each.roles,
      wrong: each.wrong,
      expectedRefusal: each.expectedRefusal,
    })),
    callback: { ...paths(certificates.callback), port: ports.callback },
    revocation: revocationUrls(ports.revocation),
    ...people,
    databases: { auth: databases.urls.auth.reveal(), resource: databases.urls.resource.reveal() },
  };
}

/** The demo PSUs; the newcomer, who has no authenticator app yet, is separate. */
export type DocumentedPeople = Pick<SandboxFacts, "psus" | "newcomer">;

/** Joins what the bank knows of its PSUs with their credentials. */
export function documentPeople(
  { psus, content }: DemoBank,
  credentials: ReadonlyMap<string, PsuCredentials>,
): DocumentedPeople {
  const documented = psus.flatMap(({ id, username, displayName, accounts }) => {
    const secrets = credentials.get(username);
    const own = content.accounts.filter((account) => accounts.includes(account.id)).map(documentAccount);
    return secrets === undefined ? [] : [{ username, displayName, psuId: id, ...secrets, accounts: own }];
  });
  const newcomer = documented.find(({ username }) => username === NEWCOMER);
  if (newcomer === undefined) throw new TypeError(`there is no PSU ${NEWCOMER}`);
  return { psus: documented.filter((each) => each !== newcomer), newcomer: withoutAuthenticator(newcomer) };
}

function documentAccount({ id, iban, currency, names }: DemoBank["content"]["accounts"][number]) {
  return { id, iban, currency, name: names?.en ?? "" };
}

/** Derives the activation code, twenty digits to read aloud, from the unused secret. */
function withoutAuthenticator({ totpSecret, ...psu }: DocumentedPsu): DocumentedNewcomer {
  const hash = createHash("sha256").update(totpSecret).digest("hex");
  const digits = (BigInt(`0x${hash}`) % 10n ** BigInt(CODE_DIGITS)).toString().padStart(CODE_DIGITS, "0");
  return { ...psu, activationCode: (digits.match(/.{4}/g) ?? []).join("-") };
}

function paths({ certificateFile, keyFile }: KeyPairFiles): CertificatePaths {
  return { certificate: certificateFile, key: keyFile };
}
