import type { SandboxCertificates } from "../../packages/sandbox/src/certificates/sandbox-certificates.ts";

/** The environment of a resource server that a test starts, on any free ports. */
export function resourceEnvironment(
  certificates: SandboxCertificates,
  authBankUrl: string,
  databaseUrl: string,
): Readonly<Record<string, string>> {
  const { server, bank } = certificates;
  return {
    MODE: "sandbox",
    REVOCATION: "off",
    MUTUAL_TLS_PORT: "0",
    BANK_PORT: "0",
    OPERATOR_PORT: "0",
    DATABASE_URL: databaseUrl,
    SERVER_CERTIFICATE_FILE: server.resource.certificateFile,
    SERVER_KEY_FILE: server.resource.keyFile,
    BANK_CERTIFICATE_FILE: server.resourceBank.certificateFile,
    BANK_KEY_FILE: server.resourceBank.keyFile,
    BANK_CLIENT_CERTIFICATE_FILE: bank.resource.certificateFile,
    BANK_CLIENT_KEY_FILE: bank.resource.keyFile,
    BANK_AUTHORITY_FILE: certificates.privateCaFile,
    BANK_CALLERS: "auth=accounts;operator=operator",
    TRUST_ANCHORS_FILE: certificates.anchorsFile,
    AUTH_BANK_URL: authBankUrl,
    DRAIN_LIMIT_SECONDS: "1",
  };
}
