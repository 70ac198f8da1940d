/** Calls of a TPP that does not give up: while a server is away it retries, and it must never get an error of ours. */
import { readFile } from "node:fs/promises";
import { request } from "node:https";
import { setTimeout as delay } from "node:timers/promises";
import type { SandboxDocument } from "../../packages/sandbox/src/sandbox-folder/sandbox-document.ts";
import { requireCertificate } from "../../packages/sandbox/src/tpp/command.ts";
import type { TppClient } from "../support/tpp-client.ts";

/** A call of the API. */
export interface PaymentCall {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  readonly path: string;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A real answer: neither 503 nor a broken connection. */
export interface PaymentAnswer {
  readonly status: number;
  readonly json: Readonly<Record<string, unknown>>;
  /** Number of earlier attempts without an answer. */
  readonly unanswered: number;
}

/** The caller of the API. */
export interface PaymentCaller {
  readonly document: SandboxDocument;
  readonly tpp: TppClient;
  readonly accessToken: string;
}

const LIMIT_MILLISECONDS = 120_000;
const AGAIN_MILLISECONDS = 100;

/** Retries until there is an answer. Throws for a status of 500 or more other than 503, and after two minutes. */
export async function callUntilAnswered(caller: PaymentCaller, call: PaymentCall): Promise<PaymentAnswer> {
  const end = performance.now() + LIMIT_MILLISECONDS;
  for (let unanswered = 0; performance.now() < end; unanswered += 1) {
    const answer = await callOnce(caller, call);
    if (answer !== undefined) return { ...answer, unanswered };
    await delay(AGAIN_MILLISECONDS);
  }
  throw new Error(`${call.method} ${call.path} was not answered in time`);
}

async function callOnce(
  { document, tpp, accessToken }: PaymentCaller,
  { method, path, body, headers = {} }: PaymentCall,
): Promise<Omit<PaymentAnswer, "unanswered"> | undefined> {
  const answer = await tpp
    .fetch(`${document.resourceBase}${path}`, {
      method,
      headers: { authorization: `Bearer ${accessToken}`, "content-type": "application/json", ...headers },
      body: body && JSON.stringify(body),
      redirect: "manual",
    })
    .catch(() => undefined);
  if (answer === undefined || answer.status === 503) return undefined;
  const text = await answer.text();
  if (answer.status >= 500) throw new Error(`${method} ${path} was answered with ${answer.status} ${text}`);
  return { status: answer.status, json: text === "" ? {} : JSON.parse(text) };
}

/** Sends a call and never reads the answer: cuts the connection as soon as `isDone`, or after two seconds. */
export async function callAndHangUp(
  { document, accessToken }: PaymentCaller,
  { method, path, body, headers = {} }: PaymentCall,
  isDone: () => Promise<boolean>,
): Promise<void> {
  const { certificate, key } = requireCertificate(document, CERTIFICATE);
  const [cert, keyPem, ca] = await Promise.all([certificate, key, document.ca].map((file) => readFile(file)));
  const sent = request(`${document.resourceBase}${path}`, {
    method,
    cert,
    key: keyPem,
    ca,
    agent: false,
    headers: { authorization: `Bearer ${accessToken}`, "content-type": "application/json", ...headers },
  });
  sent.on("error", () => undefined);
  sent.on("socket", (socket) => socket.once("secureConnect", () => socket.pause()));
  sent.end(JSON.stringify(body));
  const end = performance.now() + HANGING_MILLISECONDS;
  while (performance.now() < end && !(await isDone().catch(() => false))) await delay(2);
  sent.destroy();
}

const HANGING_MILLISECONDS = 2_000;

/** TPP whose payments are cut off in the middle. */
export const CERTIFICATE = "all-roles";
