import { readFileSync } from "node:fs";
import { join } from "node:path";
import { until } from "../support/eventually.ts";
import type { TestSandbox } from "../support/sandbox.ts";
import { openTppClient, type TppClient } from "../support/tpp-client.ts";
import { closeSandbox, journeySandbox } from "./one-sandbox.ts";
import "./sandbox-start.ts";

export { beforeJourneySandbox, journeySandbox } from "./one-sandbox.ts";
export { forgetUsedCodes, runSql } from "./run-sql.ts";

// A dependency that can be imported and not required makes the runner load a file, and all that it imports, a second time:
// a run would have two sandboxes, with half of its files in each.
const LOADED = Symbol.for("cobs.journey-sandbox");
if (Reflect.has(globalThis, LOADED)) throw new Error("the sandbox of the journeys was loaded twice");
Reflect.set(globalThis, LOADED, true);

const clients: TppClient[] = [];

/** A TPP on the sandbox of the journeys, closed with it; on another OAuth client library than usual if need be. */
export async function journeyTpp(
  certificate: string,
  library?: Parameters<typeof openTppClient>[2],
): Promise<TppClient> {
  const client = await openTppClient(await (await journeySandbox()).document(), certificate, library);
  clients.push(client);
  return client;
}

after(async function closeJourneys() {
  this.timeout(60_000);
  await Promise.all(clients.map((client) => client.close()));
  await closeSandbox();
});

/** The lines that a service wrote to its log, newest last; one that is being written is none yet. */
export function logLines(sandbox: TestSandbox, service: "auth" | "resource"): Record<string, unknown>[] {
  const text = readFileSync(join(sandbox.directory, "logs", `${service}.log`), "utf8");
  const whole = text.split("\n").slice(0, -1);
  return whole.flatMap((line) => (line.startsWith("{") ? [JSON.parse(line)] : []));
}

/** The log line of the call that was sent with this X-Request-ID. */
export async function logLineOf(sandbox: TestSandbox, service: "auth" | "resource", requestId: string) {
  const find = () => logLines(sandbox, service).findLast((entry) => entry.callerRequestId === requestId);
  await until(() => find() !== undefined, `${service} has logged the call ${requestId}`);
  return find();
}
