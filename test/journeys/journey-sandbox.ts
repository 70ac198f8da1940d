import { readFileSync } from "node:fs";
import { join } from "node:path";
import { until } from "../support/eventually.ts";
import type { TestSandbox } from "../support/sandbox.ts";
import { openTppClient, type TppClient } from "../support/tpp-client.ts";
import { closeSandbox, journeySandbox } from "./one-sandbox.ts";
import "./sandbox-start.ts";

export { beforeJourneySandbox, journeySandbox } from "./one-sandbox.ts";
export { forgetUsedCodes, runSql } from "./run-sql.ts";

// If a dependency can be imported but not required, the runner loads a file and its imports a second time. A run would then
// have two sandboxes, with half of its files in each.
const LOADED = Symbol.for("cobs.journey-sandbox");
if (Reflect.has(globalThis, LOADED)) throw new Error("the sandbox of the journeys was loaded twice");
Reflect.set(globalThis, LOADED, true);

const clients: TppClient[] = [];

/** A TPP on the journeys' sandbox, closed with it; if need be on another OAuth client library than usual. */
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

/** Lines of a service's log, newest last; an unfinished line does not count. */
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
