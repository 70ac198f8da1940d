import { writeSandboxCertificates } from "../../packages/sandbox/src/certificates/sandbox-certificates.ts";
import { sandboxLayout } from "../../packages/sandbox/src/sandbox-folder/sandbox-layout.ts";
import { localUrl, resourceEnvironment } from "../../packages/sandbox/src/start/service-environment.ts";
import { freePort } from "../support/free-port.ts";
import type { TestSandbox } from "../support/sandbox.ts";
import { portsOf } from "./second-auth.ts";
import { type RepeatedProcess, startRepeatedly } from "./start-repeatedly.ts";

/** Another resource process on a sandbox's database, which asks its own auth process. */
export type SecondResource = RepeatedProcess & {
  /** URL of its accounts. */
  readonly accounts: string;
};

/** Starts it on its own ports; the audience of its tokens and everything else except `more` equal the first. */
export async function startSecondResource(
  sandbox: TestSandbox,
  authBank: string,
  more: Readonly<Record<string, string>> = {},
): Promise<SecondResource> {
  const document = await sandbox.document();
  const layout = sandboxLayout(document.directory);
  const certificates = await writeSandboxCertificates(layout.certificates, new Date());
  const [mutualTls, bank, operator] = [await freePort(), await freePort(), await freePort()];
  const process = startRepeatedly("packages/resource/src/main.ts", {
    ...resourceEnvironment({ layout, ports: portsOf(document), certificates }),
    MUTUAL_TLS_PORT: String(mutualTls),
    BASE_URL: localUrl(mutualTls),
    BANK_PORT: String(bank),
    BANK_URL: localUrl(bank),
    OPERATOR_PORT: String(operator),
    AUTH_BANK_URL: authBank,
    ...more,
  });
  await process.start();
  return { ...process, accounts: `${localUrl(mutualTls)}/cobs/2.0/my/accounts` };
}
