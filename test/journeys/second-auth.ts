import { writeSandboxCertificates } from "../../packages/sandbox/src/certificates/sandbox-certificates.ts";
import { freePort } from "../../packages/sandbox/src/postgres/free-port.ts";
import type { SandboxPorts } from "../../packages/sandbox/src/start/env.ts";
import type { SandboxDocument } from "../../packages/sandbox/src/start/sandbox-document.ts";
import { sandboxLayout } from "../../packages/sandbox/src/start/sandbox-layout.ts";
import { authEnvironment, localUrl } from "../../packages/sandbox/src/start/service-environment.ts";
import { startProgram } from "../support/program.ts";
import { isReady, type TestSandbox, until } from "../support/sandbox.ts";

/** Another auth process on the database and the keys of a sandbox, as an operator who scales auth would start it. */
export interface SecondAuth {
  readonly mutualTls: string;
  stop(): Promise<void>;
}

function portsOf({ auth, resource, callback, revocation }: SandboxDocument): SandboxPorts {
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

/** Starts it with ports of its own; everything else, the issuer too, is that of the first. */
export async function startSecondAuth(sandbox: TestSandbox): Promise<SecondAuth> {
  const document = await sandbox.document();
  const layout = sandboxLayout(document.directory);
  const certificates = await writeSandboxCertificates(layout.certificates, new Date());
  const [browser, mutualTls, bank, operator] = [
    await freePort(),
    await freePort(),
    await freePort(),
    await freePort(),
  ];
  const program = startProgram("packages/auth/src/main.ts", [], {
    ...authEnvironment({ layout, ports: portsOf(document), certificates }),
    BROWSER_PORT: String(browser),
    MUTUAL_TLS_PORT: String(mutualTls),
    MUTUAL_TLS_URL: localUrl(mutualTls),
    BANK_PORT: String(bank),
    BANK_URL: localUrl(bank),
    OPERATOR_PORT: String(operator),
  });
  await until(() => isReady(`http://127.0.0.1:${operator}`), "the second auth process is ready");
  return {
    mutualTls: localUrl(mutualTls),
    stop: async () => {
      program.child.kill("SIGTERM");
      await program.ended();
    },
  };
}
