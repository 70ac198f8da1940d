import { writeSandboxCertificates } from "../../packages/sandbox/src/certificates/sandbox-certificates.ts";
import type { SandboxDocument } from "../../packages/sandbox/src/sandbox-folder/sandbox-document.ts";
import { sandboxLayout } from "../../packages/sandbox/src/sandbox-folder/sandbox-layout.ts";
import type { SandboxPorts } from "../../packages/sandbox/src/start/env.ts";
import { authEnvironment, localUrl } from "../../packages/sandbox/src/start/service-environment.ts";
import { type CuttableTunnel, openTunnel } from "../support/cuttable-tunnel.ts";
import { freePort } from "../support/free-port.ts";
import type { TestSandbox } from "../support/sandbox.ts";
import { startRepeatedly } from "./start-repeatedly.ts";

/** Another auth process on a sandbox's database and keys, as an operator who scales auth would start it. */
export interface SecondAuth {
  readonly mutualTls: string;
  /** Its bank listener, behind the tunnel. */
  readonly bank: string;
  readonly tunnel: CuttableTunnel;
  /** Kills it at once, like a fault. */
  kill(): Promise<void>;
  /** Starts it again, and waits until it is ready. */
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Lines of its log since its last start. */
  lines(): readonly Readonly<Record<string, unknown>>[];
}

/** The ports of a sandbox. */
export function portsOf({ auth, resource, callback, revocation }: SandboxDocument): SandboxPorts {
  const port = (url: string) => Number(new URL(url).port);
  return {
    authBrowser: port(auth.browser),
    authMutualTls: port(auth.mutualTls),
    authBank: port(auth.bank),
    authOperator: port(auth.operator),
    resourceMutualTls: port(resource.mutualTls),
    resourceBank: port(resource.bank),
    resourceOperator: port(resource.operator),
    callback: callback.port,
    revocation: port(revocation.ocsp),
    postgres: 0,
  };
}

/** Starts it on its own ports; everything else except `more`, including the issuer, equals the first. */
export async function startSecondAuth(
  sandbox: TestSandbox,
  more: Readonly<Record<string, string>> = {},
): Promise<SecondAuth> {
  const document = await sandbox.document();
  const layout = sandboxLayout(document.directory);
  const certificates = await writeSandboxCertificates(layout.certificates, new Date());
  const [browser, mutualTls, bank, operator] = [
    await freePort(),
    await freePort(),
    await freePort(),
    await freePort(),
  ];
  const tunnel = await openTunnel(bank);
  const environment = {
    ...authEnvironment({ layout, ports: portsOf(document), certificates }),
    BROWSER_PORT: String(browser),
    MUTUAL_TLS_PORT: String(mutualTls),
    MUTUAL_TLS_URL: localUrl(mutualTls),
    BANK_PORT: String(bank),
    BANK_URL: localUrl(tunnel.port),
    OPERATOR_PORT: String(operator),
    // Its thread takes a second of processor time at each start, and TPPs register at the first process.
    SECOND_READER: "off",
    ...more,
  };
  const process = startRepeatedly("packages/auth/src/main.ts", environment);
  await process.start();
  return {
    ...process,
    mutualTls: localUrl(mutualTls),
    bank: localUrl(tunnel.port),
    tunnel,
    stop: async () => {
      await process.stop();
      await tunnel.cut();
    },
  };
}
