import { randomUUID } from "node:crypto";
import {
  type CoreAnswer,
  type ExchangeSettings,
  openCoreExchange,
} from "../bank/http-connector/core-exchange.ts";
import type { CoreQuestion } from "../bank/http-connector/core-questions.ts";
import { judgeAnswer } from "../bank/http-connector/judge-answer.ts";

/** The core system as the kit asks it: as the connector does, but at once, and once. */
export interface KitCore {
  /** Asks a question of the contract, and believes the answer as the connector does. */
  ask<T>(question: CoreQuestion<T>): Promise<T>;
  /** Sends a path as it is; nothing of the answer is believed. */
  send(path: string): Promise<CoreAnswer>;
  /** The same without a certificate. */
  sendAsStranger(path: string): Promise<CoreAnswer>;
  close(): Promise<void>;
}

/** Opens the way to the core system that is tested. */
export function openKitCore(settings: ExchangeSettings): KitCore {
  const { identity: _identity, ...withoutIdentity } = settings;
  const exchange = openCoreExchange(settings);
  const stranger = openCoreExchange(withoutIdentity);

  async function sendBy(way: typeof exchange, path: string): Promise<CoreAnswer> {
    const limit = new AbortController();
    const timer = setTimeout(() => limit.abort(), settings.timeoutMilliseconds);
    try {
      return await way.send({ path, headers: headers(), signal: limit.signal });
    } finally {
      clearTimeout(timer);
    }
  }

  const send = (path: string) => sendBy(exchange, path);
  return {
    send,
    sendAsStranger: (path) => sendBy(stranger, path),
    ask: async (question) => judgeAnswer(await send(question.path), question),
    close: async () => {
      await Promise.all([exchange.close(), stranger.close()]);
    },
  };
}

function headers() {
  return {
    accept: "application/json, application/problem+json",
    "accept-encoding": "identity",
    "x-request-id": randomUUID(),
  };
}
