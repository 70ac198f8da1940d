/** The process of the callers; it does one load at a time, and ends with its parent. */
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

async function carryOut({ order, milliseconds, most, atOnce }: Load): Promise<Loaded> {
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

process.on("message", async (load: Load) => {
  try {
    process.send?.(await carryOut(load));
  } catch (error) {
    process.send?.({ failed: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  }
});
process.once("disconnect", () => process.exit());
