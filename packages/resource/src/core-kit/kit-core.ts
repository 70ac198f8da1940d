import { randomUUID } from "node:crypto";
import {
  type CoreAnswer,
  type CoreRequest,
  type ExchangeSettings,
  openCoreExchange,
} from "../bank/http-connector/core-exchange.ts";
import type { CoreQuestion, CoreSending } from "../bank/http-connector/core-questions.ts";
import { judgeAnswer } from "../bank/http-connector/judge-answer.ts";

/** The core system as the kit asks it: as the connector does, but at once, and once. */
export interface KitCore {
  /** Asks a question of the contract, and believes the answer as the connector does. */
  ask<T>(question: CoreQuestion<T>): Promise<T>;
  /** Sends a path as it is, and a body where there is one; nothing of the answer is believed. */
  send(path: string, sends?: CoreSending): Promise<CoreAnswer>;
  /** The same without a certificate. */
  sendAsStranger(path: string): Promise<CoreAnswer>;
  close(): Promise<void>;
}

/** Opens the way to the core system that is tested. */
export function openKitCore(settings: ExchangeSettings): KitCore {
  const { identity: _identity, ...withoutIdentity } = settings;
  const exchange = openCoreExchange(settings);
  const stranger = openCoreExchange(withoutIdentity);

  async function sendBy(way: typeof exchange, { path, sends }: Sent): Promise<CoreAnswer> {
    const limit = new AbortController();
    const timer = setTimeout(() => limit.abort(), settings.timeoutMilliseconds);
    try {
      return await way.send({ path, sends, headers: headers(), signal: limit.signal });
    } finally {
      clearTimeout(timer);
    }
  }

  const send: KitCore["send"] = (path, sends) => sendBy(exchange, { path, sends });
  return {
    send,
    sendAsStranger: (path) => sendBy(stranger, { path }),
    ask: async (question) => judgeAnswer(await sendBy(exchange, question), question),
    close: async () => {
      await Promise.all([exchange.close(), stranger.close()]);
    },
  };
}

type Sent = Pick<CoreRequest, "path" | "sends">;

function headers() {
  return {
    accept: "application/json, application/problem+json",
    "accept-encoding": "identity",
    "x-request-id": randomUUID(),
  };
}
