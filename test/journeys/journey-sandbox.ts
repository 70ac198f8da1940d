import { readFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { Client } from "pg";
import type { SandboxDocument } from "../../packages/sandbox/src/start/sandbox-document.ts";
import { usedStepsFile } from "../../packages/sandbox/src/tpp/used-steps-file.ts";
import { startSandbox, type TestSandbox, until } from "../support/sandbox.ts";
import { openTppClient, type TppClient } from "../support/tpp-client.ts";

// A dependency that can be imported and not required makes the runner load a file, and all that it imports, a second time:
// a run would have two sandboxes, with half of its files in each.
const LOADED = Symbol.for("cobs.journey-sandbox");
if (Reflect.has(globalThis, LOADED)) throw new Error("the sandbox of the journeys was loaded twice");
Reflect.set(globalThis, LOADED, true);

let starting: Promise<TestSandbox> | undefined;
const clients: TppClient[] = [];

/** One sandbox for all journeys of a run: both services and their database, as processes of their own. */
export function journeySandbox(): Promise<TestSandbox> {
  starting ??= startSandbox();
  return starting;
}

/** A TPP on the sandbox of the journeys, closed with it; on another OAuth client library than usual if need be. */
export async function journeyTpp(
  certificate: string,
  library?: Parameters<typeof openTppClient>[2],
): Promise<TppClient> {
  const client = await openTppClient(await (await journeySandbox()).document(), certificate, library);
  clients.push(client);
  return client;
}

// Ahead of all journeys, whose own time limits are for less than the start of a whole sandbox on a busy machine.
before(async function openJourneys() {
  this.timeout(120_000);
  await journeySandbox();
});
after(async function closeJourneys() {
  this.timeout(60_000);
  await Promise.all(clients.map((client) => client.close()));
  await (await starting)?.stop();
});

/** One statement on a service's own database, as its operator could run it. */
export async function runSql(url: string, text: string, values: readonly unknown[] = []): Promise<unknown[]> {
  const client = new Client({ connectionString: url });
  client.on("error", () => undefined);
  await client.connect();
  try {
    return (await client.query(text, [...values])).rows;
  } finally {
    await client.end();
  }
}

/** Lets every PSU sign in again at once; otherwise each one-time code works once in thirty seconds. */
export async function forgetUsedCodes(document: SandboxDocument): Promise<void> {
  await runSql(document.databases.auth, "UPDATE sandbox_psu SET last_step = 0");
  await rm(usedStepsFile(document.directory), { force: true });
}

/** The lines that a service wrote to its log, newest last. */
export function logLines(sandbox: TestSandbox, service: "auth" | "resource"): Record<string, unknown>[] {
  const text = readFileSync(join(sandbox.directory, "logs", `${service}.log`), "utf8");
  return text.split("\n").flatMap((line) => (line.startsWith("{") ? [JSON.parse(line)] : []));
}

/** The log line of the call that was sent with this X-Request-ID. */
export async function logLineOf(sandbox: TestSandbox, service: "auth" | "resource", requestId: string) {
  const find = () => logLines(sandbox, service).findLast((entry) => entry.callerRequestId === requestId);
  await until(() => find() !== undefined, `${service} has logged the call ${requestId}`);
  return find();
}
