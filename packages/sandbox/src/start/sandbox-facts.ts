import type { KeyPairFiles } from "@cobs/service-edge";
import type { DemoBank } from "../bank/demo-bank.ts";
import type { SandboxCertificates } from "../certificates/sandbox-certificates.ts";
import { revocationUrls } from "../revocation/revocation-responder.ts";
import type { SandboxDatabases } from "./databases.ts";
import type { SandboxPorts } from "./env.ts";
import type { PsuCredentials } from "./psu-credentials.ts";
import {
  type CertificatePaths,
  DOCUMENT_VERSION,
  type DocumentedPsu,
  type SandboxFacts,
} from "./sandbox-document.ts";
import { localUrl, resourceBase } from "./service-environment.ts";

/** What the facts are gathered from. */
export interface FactSources {
  readonly directory: string;
  readonly ports: SandboxPorts;
  readonly certificates: SandboxCertificates;
  readonly psus: readonly DocumentedPsu[];
  readonly databases: SandboxDatabases;
}

/** Gathers the facts about a sandbox in the shape of its document. */
export function gatherFacts({ directory, ports, certificates, psus, databases }: FactSources): SandboxFacts {
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
    psus,
    databases: { auth: databases.urls.auth.reveal(), resource: databases.urls.resource.reveal() },
  };
}

/** Joins what the bank knows of its PSUs with what they sign in with. */
export function documentPsus(
  { psus, content }: DemoBank,
  credentials: ReadonlyMap<string, PsuCredentials>,
): readonly DocumentedPsu[] {
  return psus.flatMap(({ id, username, displayName, accounts }) => {
    const secrets = credentials.get(username);
    const own = content.accounts.filter((account) => accounts.includes(account.id));
    const documented = own.map((account) => ({
      id: account.id,
      iban: account.iban,
      currency: account.currency,
      name: account.names?.en ?? "",
    }));
    return secrets === undefined
      ? []
      : [{ username, displayName, psuId: id, ...secrets, accounts: documented }];
  });
}

function paths({ certificateFile, keyFile }: KeyPairFiles): CertificatePaths {
  return { certificate: certificateFile, key: keyFile };
}
