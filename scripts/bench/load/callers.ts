/** The callers' process; it runs one load at a time, and ends with its parent. */
import { authorizeAsBenchPsu } from "./authorize-as-bench-psu.ts";
import { poolOf } from "./connections.ts";
import { type FlowOrder, type Load, type Loaded, NUMBER, type RequestOrder } from "./load-order.ts";

let calls = 0;

/** Numbers continue over all loads, because a number that was sent before makes a duplicate. */
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

/** Avoids the streams and promises of `request`: processor time of callers is time that servers do not get. */
function callOnce(order: RequestOrder): Promise<string> {
  const { target, path, method, headers, status } = order;
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let got = 0;
    poolOf(target).dispatch(
      { path, method, headers, body: nextBody(order) },
      {
        onRequestStart: () => {},
        onResponseStart: (_controller, statusCode) => {
          got = statusCode;
        },
        onResponseData: (_controller, chunk) => void chunks.push(chunk),
        onResponseEnd: () => {
          const text = Buffer.concat(chunks).toString();
          if (got === status) resolve(text);
          else reject(new Error(`${target.origin}${path} answered ${got}: ${text}`));
        },
        onResponseError: (_controller, error) => reject(error),
      },
    );
  });
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
