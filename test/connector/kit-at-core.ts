import { readFileSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import type { Bank } from "@cobs/resource/sandbox";
import { openKitCore } from "../../packages/resource/src/core-kit/kit-core.ts";
import { KIT_CHECKS, type KitResult, runKit } from "../../packages/resource/src/core-kit/run-kit.ts";
import { openCoreSystem } from "../../packages/sandbox/src/core-system/open-core-system.ts";
import { answering, type Behaviour, startScriptedCore } from "../resource/connector/scripted-core.ts";
import { identityOf } from "../support/identity-of.ts";
import { readableLog } from "../support/readable-log.ts";
import { testCertificates } from "../support/test-certificates.ts";
import { ANNA, BORIS, BORIS_IBAN, memoryBank } from "./memory-bank.ts";

/** Boris's account, so that a payment is visible on both sides. */
export const PAYEE = BORIS_IBAN;

/** Opens a core system over a bank, and closes it after the test's checks. */
export async function atCoreOf<T>(bank: Bank, look: (url: string) => Promise<T>): Promise<T> {
  const { server, privateCaFile } = await testCertificates();
  const authority = readFileSync(privateCaFile, "utf8");
  const { log } = readableLog();
  const core = await openCoreSystem(bank, { port: 0, keyPair: server.resourceBank, authority, log });
  return look(core.url).finally(() => core.close());
}

/** The core systems of these tests execute an order at once, or not before its day. */
const SHORTLY = 300;

/** Connects to a core system as resource does. */
export async function openCoreAt(
  url: string,
  // Every core system here answers, but fifty handshakes at once take long on a busy machine.
  timeoutMilliseconds = 60_000,
) {
  const { bank, privateCaFile } = await testCertificates();
  return openKitCore({
    url: new URL(url),
    authority: readFileSync(privateCaFile, "utf8"),
    identity: identityOf(bank.resource),
    timeoutMilliseconds,
    callsAtOnce: 50,
  });
}

export async function resultsOf(url: string, checks = KIT_CHECKS): Promise<readonly KitResult[]> {
  const core = await openCoreAt(url);
  const parts = { core, psu: ANNA, otherPsu: BORIS, payee: PAYEE, laterOrdersMilliseconds: SHORTLY };
  return runKit(parts, checks).finally(() => core.close());
}

/** The checks of some clauses alone, each of which must detect a fault without help of the others. */
export const checksFor = (...wanted: readonly string[]) =>
  KIT_CHECKS.filter(({ clause }) => wanted.includes(clause));

export const clausesOf = (results: readonly KitResult[], outcome: KitResult["outcome"]) =>
  results.filter((result) => result.outcome === outcome).map(({ clause }) => clause);

/** An answer before a proxy changes it. */
export type Told = Readonly<Record<string, unknown>>;

/** A proxy in front of a correct core system, which changes its answers or its requests. */
export async function behindProxy(
  change: (told: Told) => Told,
  clause = "1.6",
  changeBody = (body: string) => body,
): Promise<readonly KitResult[]> {
  const proxy = await startScriptedCore();
  return atCoreOf(memoryBank(), async (url) => {
    const behind = await openCoreAt(url);
    proxy.behave(async (request, response) => {
      const method = (["POST", "PUT"] as const).find((each) => each === request.method);
      const sends = method && { method, json: Object(JSON.parse(changeBody(await text(request)))) };
      const { status, body } = await behind.send(request.url ?? "", sends);
      answering(change(JSON.parse(body.toString())), status)(request, response);
    });
    const checks = checksFor(clause);
    return resultsOf(proxy.url.href, checks).finally(() => behind.close());
  }).finally(() => proxy.die());
}

/** A correct core system behind something that answers some questions itself. */
export async function judgeBehind(
  answerItself: (request: IncomingMessage) => Behaviour | undefined,
  ...clauses: readonly string[]
): Promise<readonly KitResult[]> {
  const proxy = await startScriptedCore();
  return atCoreOf(memoryBank(), async (url) => {
    const behind = await openCoreAt(url);
    proxy.behave(async (request, response) => {
      const own = answerItself(request);
      if (own !== undefined) return own(request, response);
      const method = (["POST", "PUT"] as const).find((each) => each === request.method);
      const sends = method && { method, json: Object(JSON.parse(await text(request))) };
      const { status, body } = await behind.send(request.url ?? "", sends);
      const type = status === 200 ? "application/json" : "application/problem+json";
      response.writeHead(status, { "Content-Type": type }).end(body);
    });
    return resultsOf(proxy.url.href, checksFor(...clauses)).finally(() => behind.close());
  }).finally(() => proxy.die());
}
