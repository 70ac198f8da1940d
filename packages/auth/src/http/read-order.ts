import type { IncomingCall } from "@cobs/service-edge";

/** A call of the bank with the JSON that it posts, for a route that has judged its caller first. Refuses as `readJson`. */
export async function readOrder(call: IncomingCall): Promise<IncomingCall> {
  return call.method === "POST" ? { ...call, body: await call.readJson() } : call;
}
