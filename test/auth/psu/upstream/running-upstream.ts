import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "../../../support/temporary-folder.ts";
import { testCertificates } from "../../../support/test-certificates.ts";
import { ISSUER } from "../../running-auth.ts";
import {
  type BankProvider,
  CLIENT_ID,
  CLIENT_SECRET,
  type Registration,
  STRONG,
  startBankProvider,
} from "./bank-provider.ts";

/** URI to which browsers return to auth. */
export const RETURN_URI = `${ISSUER}/sign-in/return`;

/** A bank's provider, and auth's configuration for signing PSUs in there. */
export interface RunningUpstream {
  readonly provider: BankProvider;
  readonly variables: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

/** Starts a provider at which auth has a client secret. */
export async function runUpstream(
  registration: Registration = { redirectUri: RETURN_URI },
): Promise<RunningUpstream> {
  const { server, privateCaFile } = await testCertificates();
  const provider = await startBankProvider(server.resourceBank, privateCaFile, registration);
  const folder = temporaryFolder();
  const secretFile = join(folder.path, "secret");
  writeFileSync(secretFile, CLIENT_SECRET, { mode: 0o600 });
  return {
    provider,
    variables: {
      PSU_LOGIN: "oidc",
      UPSTREAM_ISSUER: provider.issuer,
      UPSTREAM_CLIENT_ID: CLIENT_ID,
      UPSTREAM_CLIENT_SECRET_FILE: secretFile,
      UPSTREAM_ACR_VALUES: STRONG,
      UPSTREAM_CA_FILE: privateCaFile,
    },
    close: async () => {
      await provider.close();
      folder.remove();
    },
  };
}
