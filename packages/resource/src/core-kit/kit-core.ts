import { randomUUID } from "node:crypto";
import {
  type CoreAnswer,
  type CoreExchange,
  type CoreRequest,
  type ExchangeSettings,
  openCoreExchange,
} from "../bank/http-connector/core-exchange.ts";
import type { CoreQuestion, CoreSending } from "../bank/http-connector/core-questions.ts";
import { judgeAnswer } from "../bank/http-connector/judge-answer.ts";
import { CannotRun } from "./kit-check.ts";
import { makeStranger } from "./stranger-identity.ts";

/** The core system as the kit asks it: like the connector, but without queue, circuits and metrics. */
export interface KitCore {
  /** Asks a question of the contract, and checks the answer as the connector does. */
  ask<T>(question: CoreQuestion<T>): Promise<T>;
  /** Sends a path as it is, with a body if given; the answer is not checked. */
  send(path: string, sends?: CoreSending): Promise<CoreAnswer>;
  /** Sends without a certificate, or with a self-signed one. */
  sendAsStranger(path: string, shows: "nothing" | "own certificate"): Promise<CoreAnswer>;
  /** The question behind an answer or an error, as the core system logs it; undefined if there was none. */
  questionOf(end: unknown): string | undefined;
  close(): Promise<void>;
}

/** Opens the way to the core system under test. Throws `CannotRun` if certificate and key cannot be used. */
export function openKitCore(settings: ExchangeSettings): KitCore {
  const { identity: _identity, ...withoutIdentity } = settings;
  const exchange = openOwnExchange(settings);
  const stranger = makeStranger(new Date());
  const strangers = {
    nothing: openCoreExchange(withoutIdentity),
    "own certificate": openCoreExchange({ ...withoutIdentity, identity: () => stranger }),
  };

  const questions = new WeakMap<object, string>();

  async function sendBy(
    way: typeof exchange,
    { path, sends }: Sent,
    requestId?: string,
  ): Promise<CoreAnswer> {
    const limit = new AbortController();
    const timer = setTimeout(() => limit.abort(), settings.timeoutMilliseconds);
    try {
      const trace = requestId === undefined ? undefined : { requestId };
      return await way.send({ path, sends, trace, signal: limit.signal });
    } finally {
      clearTimeout(timer);
    }
  }

  /** Remembers the question behind each answer and each error. */
  async function asking<T>(sent: Sent, ask: (requestId?: string) => Promise<T>): Promise<T> {
    const requestId = isOfCall(sent) ? randomUUID() : undefined;
    const remember = (end: unknown) => {
      if (isObject(end)) questions.set(end, nameQuestion(sent, requestId));
    };
    try {
      const answer = await ask(requestId);
      remember(answer);
      return answer;
    } catch (error) {
      remember(error);
      throw error;
    }
  }

  const send: KitCore["send"] = (path, sends) =>
    asking({ path, sends }, (requestId) => sendBy(exchange, { path, sends }, requestId));
  return {
    send,
    sendAsStranger: (path, shows) =>
      asking({ path }, (requestId) => sendBy(strangers[shows], { path }, requestId)),
    ask: (question) =>
      asking(question, async (requestId) =>
        judgeAnswer(await sendBy(exchange, question, requestId), question),
      ),
    questionOf: (end) => (isObject(end) ? questions.get(end) : undefined),
    close: async () => {
      await Promise.all([exchange, ...Object.values(strangers)].map((each) => each.close()));
    },
  };
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

/**
 * Whether a question belongs to a call of a TPP: an approved order is executed and looked up outside of any (clause 1.2).
 */
function isOfCall({ path }: Sent): boolean {
  return !path.startsWith("/orders/");
}

function nameQuestion({ path, sends }: Sent, requestId: string | undefined): string {
  // An empty query is not sent.
  const question = `${sends?.method ?? "GET"} ${path.replace(/\?$/, "")}`;
  return requestId === undefined ? question : `${question}, X-Request-ID ${requestId}`;
}

type Sent = Pick<CoreRequest, "path" | "sends">;

/** Table: OpenSSL's codes for files that are not a certificate and its key. */
const UNUSABLE: Readonly<Record<string, string>> = {
  ERR_OSSL_X509_KEY_VALUES_MISMATCH: "--key is not the key of --certificate",
  ERR_OSSL_PEM_NO_START_LINE: "--certificate or --key cannot be read as PEM",
  ERR_OSSL_UNSUPPORTED: "--certificate or --key cannot be read as PEM",
};

function openOwnExchange(settings: ExchangeSettings): CoreExchange {
  try {
    return openCoreExchange(settings);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    const reason = UNUSABLE[code];
    throw reason === undefined ? error : new CannotRun(`${reason} (${code})`);
  }
}
