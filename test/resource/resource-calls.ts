import { readFileSync } from "node:fs";
import type { Agent } from "node:https";
import type { ResourcePorts } from "@cobs/resource";
import type { KeyPairFiles } from "@cobs/service-edge";
import type {
  SandboxCertificates,
  TppCertificate,
} from "../../packages/sandbox/src/certificates/sandbox-certificates.ts";
import type { IntrospectionServer } from "../support/introspection-server.ts";
import type { MovableClock } from "../support/movable-clock.ts";
import { onceLogged } from "../support/once-logged.ts";
import { keepConnections, type RawAnswer, send } from "../support/raw-https.ts";
import { accountIdsOf, MANY } from "./small-bank.ts";

export const HOST = "localhost:9443";
export const RESOURCE_SERVER = `https://${HOST}/cobs/2.0`;
export const ISSUER = "https://localhost:8443";
export const ACCOUNTS = "/cobs/2.0/my/accounts";

/** A test's call; what it leaves out is correct. */
export interface TestCall {
  /** Name of a TPP certificate; null presents none. */
  readonly certificate?: string | null;
  /** Files of a certificate that the sandbox did not issue. */
  readonly keyPair?: KeyPairFiles;
  readonly token?: string;
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  readonly body?: string | Buffer | Promise<string>;
  /** Replaces the agent that keeps connections for the next call; false uses a new connection for this call. */
  readonly agent?: Agent | false;
}

/** Calls of a test to a running server. */
export interface ResourceCalls {
  tpp(name: string): TppCertificate;
  /** Makes a token that auth describes as valid for the certificate, with some claims changed; undefined removes one. */
  giveToken(certificate?: string, changed?: Readonly<Record<string, unknown>>): string;
  /** Calls the listener for TPPs, by default with `aisp-pisp` and without a token. Returns when the log has the call's line. */
  call(call: TestCall): Promise<RawAnswer>;
  /** Asks the bank listener as one of its callers, by default `operator`. */
  askBank(
    path: string,
    as?: { readonly caller?: KeyPairFiles; readonly accept?: string },
  ): Promise<RawAnswer>;
  /** Value of a metric, by its name and distinguishing labels, e.g. `x{code="y"`; 0 if missing. */
  metric(start: string): Promise<number>;
  /** Log line of the last answered call. */
  lastCall(): Record<string, unknown>;
}

/** What the calls go to, and what describes their tokens. */
interface CallParts {
  readonly ports: ResourcePorts;
  readonly certificates: SandboxCertificates;
  readonly auth: IntrospectionServer;
  readonly clock: MovableClock;
  /** Where the server's log lines come. */
  readonly lines: readonly Record<string, unknown>[];
}

/** Begins calls to a server; `end` closes the kept connections. */
export function beginCalls(parts: CallParts): { readonly calls: ResourceCalls; readonly end: () => void } {
  const { ports, certificates, auth, clock, lines } = parts;
  const kept = keepConnections();
  let tokens = 0;

  function tpp(name: string): TppCertificate {
    const found = certificates.tpp.find((each) => each.name === name);
    if (found === undefined) throw new Error(`there is no certificate ${name}`);
    return found;
  }

  const calls: ResourceCalls = {
    tpp,
    giveToken(certificate = "aisp-pisp", changes = {}) {
      tokens += 1;
      const token = `token-${tokens}.${"x".repeat(30)}`;
      auth.tokens.set(token, { ...describeToken(tpp(certificate), clock.now()), ...changes });
      return token;
    },
    call({ certificate = "aisp-pisp", token, method = "GET", path = ACCOUNTS, headers, body, ...how }) {
      const { agent = kept, keyPair } = how;
      const shown = keyPair ?? (certificate === null ? undefined : tpp(certificate));
      const options = {
        ...{ port: ports.mutualTls, method, path, agent },
        ca: readFileSync(certificates.caFile),
        ...(shown && filesOf(shown)),
        headers: { host: HOST, ...(token && { authorization: `Bearer ${token}` }), ...headers },
      };
      return onceLogged(send(options, body), lines);
    },
    askBank(path, { caller = certificates.bank.operator, accept } = {}) {
      const options = {
        ...{ port: ports.bank, path },
        ca: readFileSync(certificates.privateCaFile),
        ...filesOf(caller),
        headers: { host: "localhost:9444", ...(accept && { accept }) },
      };
      return onceLogged(send(options), lines);
    },
    async metric(start) {
      const answer = await fetch(`http://127.0.0.1:${ports.operator}/metrics`);
      const line = (await answer.text()).split("\n").find((each) => each.startsWith(start));
      return Number(line?.split(" ").at(-1) ?? 0);
    },
    lastCall: () => lines.findLast((line) => line.msg === "call") ?? {},
  };
  return { calls, end: () => kept.destroy() };
}

function filesOf({ certificateFile, keyFile }: KeyPairFiles) {
  return { cert: readFileSync(certificateFile), key: readFileSync(keyFile) };
}

/** Auth's description of a valid token of this certificate's TPP for every account of the PSU with many. */
function describeToken(tpp: TppCertificate, now: Date): Record<string, unknown> {
  const seconds = Math.floor(now.getTime() / 1000);
  return {
    active: true,
    token_type: "Bearer",
    scope: "aisp",
    client_id: "application-1",
    sub: MANY,
    aud: RESOURCE_SERVER,
    iss: ISSUER,
    iat: seconds,
    exp: seconds + 600,
    cnf: { "x5t#S256": tpp.thumbprint },
    consent_id: "consent-1",
    organisation_identifier: tpp.organisationIdentifier,
    account_ids: accountIdsOf(MANY),
    consented_services: ["aisp"],
  };
}
