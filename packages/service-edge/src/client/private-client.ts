import { request } from "undici";
import { afterLimit, expiryOf } from "../turns/expiry.ts";
import type { CurrentIdentity } from "./current-identity.ts";
import { openPrivateAgent, type PrivateAgent } from "./private-agent.ts";

/** An answer of another service of the bank. */
export interface PrivateAnswer {
  readonly status: number;
  header(name: string): string | undefined;
  readonly body: string;
}

/** What is known of a call beyond its bytes. */
export interface CallNature {
  /** The call is idempotent, so it is repeated when its connection breaks without an answer. */
  readonly repeatable: boolean;
}

/**
 * Calls another service of the bank over TLS: the bank listener of our other service, or a service that only the bank
 * knows. When a connection breaks without an answer, as when a process is killed, a GET or DELETE is repeated once on
 * a new connection, within the same time limit; a POST only if it is marked as repeatable.
 */
export interface PrivateClient {
  /** Whoever waits for something to happen may give up by `signal`; it must not outlive the call. */
  get(path: string, headers?: Readonly<Record<string, string>>, signal?: AbortSignal): Promise<PrivateAnswer>;
  postForm(
    path: string,
    form: URLSearchParams,
    headers?: Readonly<Record<string, string>>,
    nature?: CallNature,
  ): Promise<PrivateAnswer>;
  postJson(
    path: string,
    value: object,
    headers?: Readonly<Record<string, string>>,
    nature?: CallNature,
  ): Promise<PrivateAnswer>;
  delete(path: string, headers?: Readonly<Record<string, string>>): Promise<PrivateAnswer>;
  close(): Promise<void>;
}

/** The other service did not answer in time, or not at all. */
export class PrivateServiceUnavailable extends Error {
  /** Why, for the log: a refused connection, a certificate, the limit. */
  readonly reason: string;

  constructor(service: string, options: ErrorOptions) {
    super(`${service} does not answer`, options);
    this.name = "PrivateServiceUnavailable";
    this.reason = messageOf(options.cause);
  }
}

/** Where several addresses were tried there is a code alone. */
function messageOf(cause: unknown): string {
  if (!(cause instanceof Error)) return "unknown";
  return cause.message || ("code" in cause ? String(cause.code) : cause.name);
}

/** How long a whole answer of another service is waited for, in milliseconds. */
export const PRIVATE_CALL_LIMIT_MILLISECONDS = 2_500;
const MAX_ANSWER_BYTES = 4_194_304;
const MAX_CONNECTIONS = 32;
/**
 * However long the other side would keep a connection: of a host that is lost nobody tells, and the next call
 * would wait in vain.
 */
export const MAX_IDLE_MILLISECONDS = 4_000;
/** As undici and Node name them: closed or reset by the other side, before or within the answer. */
const BROKEN: ReadonlySet<unknown> = new Set(["UND_ERR_SOCKET", "ECONNRESET", "EPIPE"]);

const hasBroken = (failure: unknown) =>
  failure instanceof Error && "code" in failure && BROKEN.has(failure.code);

const REPEATABLE: CallNature = { repeatable: true };
const ONCE: CallNature = { repeatable: false };

interface SentCall {
  readonly method: "GET" | "POST" | "DELETE";
  readonly headers: Record<string, string>;
  readonly body?: string;
}

/** Opens a client; `service` names the other side in errors. Without `identity` it shows no certificate (no mutual TLS). */
export function createPrivateClient(options: {
  readonly service: string;
  readonly base: URL;
  /** PEM of the only authorities that may certify the other side. */
  readonly authority: string | readonly string[];
  readonly identity?: CurrentIdentity;
  /** A longer answer is as good as none; 4 MiB unless told otherwise. */
  readonly limitOctets?: number;
  readonly limitMilliseconds?: number | undefined;
}): PrivateClient {
  const { authority, identity, limitMilliseconds = PRIVATE_CALL_LIMIT_MILLISECONDS } = options;
  const settings = {
    connections: MAX_CONNECTIONS,
    keepAliveMaxTimeout: MAX_IDLE_MILLISECONDS,
    maxResponseSize: options.limitOctets ?? MAX_ANSWER_BYTES,
    authority,
    identity,
    connectMilliseconds: limitMilliseconds,
  };
  const agent = openPrivateAgent(settings);
  // Whoever was killed has broken all connections to him, also those on which it is not known yet: none is used again.
  const onceOnly = openPrivateAgent({ ...settings, pipelining: 0 });
  async function exchange(
    by: PrivateAgent,
    path: string,
    sent: SentCall,
    signal: AbortSignal,
  ): Promise<PrivateAnswer> {
    const dispatcher = by.current();
    const answer = await request(new URL(path, options.base), { dispatcher, signal, ...sent });
    const body = await answer.body.text();
    const header = (name: string) => {
      const value = answer.headers[name.toLowerCase()];
      return typeof value === "string" ? value : undefined;
    };
    return { status: answer.statusCode, header, body };
  }
  async function call(
    path: string,
    sent: SentCall,
    { repeatable }: CallNature,
    givenUp?: AbortSignal,
  ): Promise<PrivateAnswer> {
    const expiring = new AbortController();
    const expired = () => expiring.abort(new Error(`no whole answer within ${limitMilliseconds} ms`));
    const limit = afterLimit(limitMilliseconds, expired);
    const signal = givenUp === undefined ? expiring.signal : AbortSignal.any([expiring.signal, givenUp]);
    const exchanged = exchange(agent, path, sent, signal).catch((failure: unknown) => {
      if (!repeatable || signal.aborted || !hasBroken(failure)) throw failure;
      return exchange(onceOnly, path, sent, signal);
    });
    try {
      return await Promise.race([exchanged, expiryOf(signal)]);
    } catch (cause) {
      throw new PrivateServiceUnavailable(options.service, { cause });
    } finally {
      // One that went off after its call would cost as much as a part of the call.
      clearTimeout(limit);
    }
  }
  return {
    get: (path, headers = {}, signal = undefined) =>
      call(path, { method: "GET", headers: { ...headers } }, REPEATABLE, signal),
    postForm: (path, form, headers = {}, nature = ONCE) => {
      const typed = { ...headers, "content-type": "application/x-www-form-urlencoded" };
      return call(path, { method: "POST", headers: typed, body: form.toString() }, nature);
    },
    postJson: (path, value, headers = {}, nature = ONCE) => {
      const typed = { ...headers, "content-type": "application/json" };
      return call(path, { method: "POST", headers: typed, body: JSON.stringify(value) }, nature);
    },
    delete: (path, headers = {}) => call(path, { method: "DELETE", headers: { ...headers } }, REPEATABLE),
    close: async () => {
      await Promise.all([agent.close(), onceOnly.close()]);
    },
  };
}
