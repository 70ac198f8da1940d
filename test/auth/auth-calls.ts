import { readFileSync } from "node:fs";
import type { Agent } from "node:https";
import type { AuthPorts } from "@cobs/auth";
import type { KeyPairFiles } from "@cobs/service-edge";
import type {
  SandboxCertificates,
  TppCertificate,
} from "../../packages/sandbox/src/certificates/sandbox-certificates.ts";
import { onceLogged } from "../support/once-logged.ts";
import { keepConnections, type RawAnswer, send } from "../support/raw-https.ts";

export const BROWSER_HOST = "localhost:8443";
const API_HOST = "localhost:8444";
const BANK_HOST = "localhost:8445";

/** A test's call; what it leaves out is correct. */
export interface TestCall {
  /** Name of a TPP certificate; null presents none. */
  readonly certificate?: string | null;
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  readonly body?: string | Buffer | Promise<string>;
  /** Replaces the agent that keeps connections for the next call; false uses a new connection for this call. */
  readonly agent?: Agent | false;
}

/** Calls of a test to a running server. */
export interface AuthCalls {
  tpp(name: string): TppCertificate;
  /** Calls the API host, by default with `aisp-pisp`. Returns when the log has the call's line. */
  call(call: TestCall): Promise<RawAnswer>;
  /** Calls the browser host. */
  browse(call: Omit<TestCall, "certificate">): Promise<RawAnswer>;
  /** Calls the bank listener as `resource`, or as another caller of the bank. */
  callAsBank(
    call: Omit<TestCall, "certificate">,
    caller?: "auth" | "resource" | "operator",
  ): Promise<RawAnswer>;
  /** Calls the bank listener with the certificate of a TPP. */
  callBankAsTpp(call: Omit<TestCall, "certificate">, certificate: string): Promise<RawAnswer>;
  /** Log line of the last answered call. */
  lastCall(): Record<string, unknown>;
}

/** Begins calls to the server on these ports, whose log lines come into `lines`; `end` closes the kept connections. */
export function beginCalls(
  ports: AuthPorts,
  certificates: SandboxCertificates,
  lines: readonly Record<string, unknown>[],
): { readonly calls: AuthCalls; readonly end: () => void } {
  const ca = readFileSync(certificates.caFile);
  const bankCa = readFileSync(certificates.privateCaFile);
  const kept = keepConnections();

  function tpp(name: string): TppCertificate {
    const found = certificates.tpp.find((each) => each.name === name);
    if (found === undefined) throw new Error(`there is no certificate ${name}`);
    return found;
  }

  function sendTo(port: number, host: string, call: TestCall, tls = {}): Promise<RawAnswer> {
    const { method = "GET", path, headers, body, agent = kept } = call;
    const options = { port, method, path, ca, headers: { host, ...headers }, agent, ...tls };
    return onceLogged(send(options, body), lines);
  }

  const calls: AuthCalls = {
    tpp,
    call: (call) => {
      const { certificate = "aisp-pisp" } = call;
      return sendTo(ports.mutualTls, API_HOST, call, certificate === null ? {} : filesOf(tpp(certificate)));
    },
    browse: (call) => sendTo(ports.browser, BROWSER_HOST, call),
    callAsBank: (call, caller = "resource") =>
      sendTo(ports.bank, BANK_HOST, call, { ...filesOf(certificates.bank[caller]), ca: bankCa }),
    callBankAsTpp: (call, certificate) =>
      sendTo(ports.bank, BANK_HOST, call, { ...filesOf(tpp(certificate)), ca: bankCa }),
    lastCall: () => lines.findLast((line) => line.msg === "call") ?? {},
  };
  return { calls, end: () => kept.destroy() };
}

function filesOf({ certificateFile, keyFile }: KeyPairFiles) {
  return { cert: readFileSync(certificateFile), key: readFileSync(keyFile) };
}
