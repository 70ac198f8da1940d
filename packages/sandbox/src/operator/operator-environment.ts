import type { Environment } from "@cobs/service-edge/configuration";
import type { SandboxDocument } from "../sandbox-folder/sandbox-document.ts";

/** Configuration of the operator's command for a sandbox; variables of the environment take precedence. */
export function operatorEnvironment(sandbox: SandboxDocument, environment: Environment): Environment {
  const { certificate, key } = sandbox.bankClients.operator;
  const ofSandbox = {
    OPERATOR_URL: sandbox.auth.bank,
    RESOURCE_BANK_URL: sandbox.resource.bank,
    OPERATOR_CERTIFICATE_FILE: certificate,
    OPERATOR_KEY_FILE: key,
    BANK_AUTHORITY_FILE: sandbox.privateCa,
  };
  const set = Object.entries(environment).filter(([, value]) => value !== undefined && value !== "");
  return { ...ofSandbox, ...Object.fromEntries(set) };
}
