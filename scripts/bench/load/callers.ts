/** The process of the callers; it does one load at a time, and ends with its parent. */
import { setTimeout as delay } from "node:timers/promises";
import { authorizeAsBenchPsu } from "./authorize-as-bench-psu.ts";
import { poolOf } from "./connections.ts";
import { type FlowOrder, type Load, type Loaded, NUMBER, type RequestOrder } from "./load-order.ts";

let calls = 0;

/** Numbers go on over all loads: what was sent once is a duplicate. */
function numbered(body: string | null): string | null {
  if (body === null || !body.includes(NUMBER)) return body;
  calls += 1;
  return body.replace(NUMBER, String(calls));
}

function nextBody({ body, bodies = [] }: RequestOrder): string | null {
  if (bodies.length === 0) return numbered(body);
  calls += 1;
  return bodies[calls % bodies.length] ?? null;
}

async function callOnce(order: RequestOrder) {
  const { target, path, method, headers, status } = order;
  const answer = await poolOf(target).request({ path, method, headers, body: nextBody(order) });
  const text = await answer.body.text();
  if (answer.statusCode === status) return text;
  throw new Error(`${target.origin}${path} answered ${answer.statusCode}: ${text}`);
}

function once(order: RequestOrder | FlowOrder): Promise<string> {
  return order.kind === "requests" ? callOnce(order) : authorizeAsBenchPsu(order);
}

async function callAtOnce({ order, milliseconds, most, atOnce }: Load): Promise<Loaded> {
  const end = performance.now() + milliseconds;
  let done = 0;
  let lastBody = "";
  const callUntilEnd = async () => {
    do {
      lastBody = await once(order);
      done += 1;
    } while (performance.now() < end && done < (most ?? Number.POSITIVE_INFINITY));
  };
  await Promise.all(Array.from({ length: atOnce }, callUntilEnd));
  return { done, lastBody };
}

/** Calls whenever one is due, as far as no more than `atOnce` are under way. */
async function callInTime({ order, milliseconds, atOnce }: Load, perSecond: number): Promise<Loaded> {
  const underWay = new Set<Promise<void>>();
  let [done, lastBody, failure]: [number, string, unknown] = [0, "", undefined];
  const call = async () => {
    try {
      lastBody = await once(order);
      done += 1;
    } catch (error) {
      failure ??= error;
    }
  };
  const start = performance.now();
  const passed = () => performance.now() - start;
  for (let begun = 0; passed() < milliseconds && failure === undefined; await delay(1)) {
    for (const due = (passed() * perSecond) / 1_000; begun < due && underWay.size < atOnce; begun += 1) {
      const calling: Promise<void> = call().finally(() => underWay.delete(calling));
      underWay.add(calling);
    }
  }
  await Promise.all(underWay);
  if (failure !== undefined) throw failure;
  return { done, lastBody };
}

function carryOut(load: Load): Promise<Loaded> {
  return load.perSecond === undefined ? callAtOnce(load) : callInTime(load, load.perSecond);
}

process.on("message", async (load: Load) => {
  try {
    process.send?.(await carryOut(load));
  } catch (error) {
    process.send?.({ failed: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  }
});
process.once("disconnect", () => process.exit());
