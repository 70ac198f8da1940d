import { request } from "undici";
import { afterLimit, expiryOf } from "../turns/expiry.ts";
import type { CurrentIdentity } from "./current-identity.ts";
import { openPrivateAgent, type PrivateAgent } from "./private-agent.ts";
import { describeTlsAlert } from "./tls-alert.ts";

/** An answer of another service of the bank. */
export interface PrivateAnswer {
  readonly status: number;
  header(name: string): string | undefined;
  readonly body: string;
}

/** Properties of a call beyond its bytes. */
export interface CallNature {
  /** Whether the call is idempotent, so that it may be repeated when its connection breaks without an answer. */
  readonly repeatable: boolean;
}

/**
 * Calls another service of the bank over TLS: the bank listener of our other service, or a service inside the bank. When a
 * connection breaks without an answer, as when a process is killed, a GET or DELETE is repeated once on a new connection,
 * within the same time limit; a POST only if it is marked as repeatable.
 */
export interface PrivateClient {
  /** A caller that waits for something to happen may give up by `signal`, which must not outlive the call. */
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

/** The other service did not answer, or not in time. */
export class PrivateServiceUnavailable extends Error {
  /** Reason for the log: a refused connection, a certificate, the limit. */
  readonly reason: string;

  constructor(service: string, options: ErrorOptions) {
    super(`${service} does not answer`, options);
    this.name = "PrivateServiceUnavailable";
    this.reason = messageOf(options.cause);
  }
}

/** An error after several addresses were tried has only a code. */
function messageOf(cause: unknown): string {
  if (!(cause instanceof Error)) return "unknown";
  const alert = describeTlsAlert(cause);
  if (alert !== undefined) return alert;
  return cause.message || ("code" in cause ? String(cause.code) : cause.name);
}

/** Milliseconds within which the whole answer of another service must arrive. */
export const PRIVATE_CALL_LIMIT_MILLISECONDS = 2_500;
const MAX_ANSWER_BYTES = 4_194_304;
const MAX_CONNECTIONS = 32;
/**
 * Most milliseconds that a connection stays idle, even if the other side would keep it longer. Nothing reports a lost host,
 * and the next call on its connection would wait in vain.
 */
export const MAX_IDLE_MILLISECONDS = 4_000;
/** Codes of undici and Node for a connection that the other side closed or reset before or during the answer. */
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
  /** Most octets of an answer; a longer one is refused. 4 MiB by default. */
  readonly limitOctets?: number;
  readonly limitMilliseconds?: number | undefined;
  /**
   * False gives each call a connection of its own: for a service whose answers do not say to which call they belong. One that it
   * sends too much would be taken for the answer to the next call. True by default.
   */
  readonly keepsConnections?: boolean;
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
  const keepsConnections = options.keepsConnections ?? true;
  // A killed process has broken all its connections, including those not yet known to be broken, so none is reused.
  const onceOnly = openPrivateAgent({ ...settings, pipelining: 0 });
  const agent = keepsConnections ? openPrivateAgent(settings) : onceOnly;
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
    // With `AbortSignal.any`, Node.js 20 would keep every call and its answer for as long as the process lives.
    const ending = new AbortController();
    const { signal } = ending;
    const expired = () => ending.abort(new Error(`no complete answer within ${limitMilliseconds} ms`));
    const giveUp = () => ending.abort(givenUp?.reason);
    const limit = afterLimit(limitMilliseconds, expired);
    givenUp?.addEventListener("abort", giveUp);
    if (givenUp?.aborted === true) giveUp();
    const exchanged = exchange(agent, path, sent, signal).catch((failure: unknown) => {
      if (!repeatable || signal.aborted || !hasBroken(failure)) throw failure;
      return exchange(onceOnly, path, sent, signal);
    });
    try {
      return await Promise.race([exchanged, expiryOf(signal)]);
    } catch (cause) {
      throw new PrivateServiceUnavailable(options.service, { cause });
    } finally {
      // A timer left to fire after its call would cost as much as a part of the call.
      clearTimeout(limit);
      givenUp?.removeEventListener("abort", giveUp);
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
      await Promise.all([...new Set([agent, onceOnly])].map((each) => each.close()));
    },
  };
}
