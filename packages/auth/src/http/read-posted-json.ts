import type { IncomingCall } from "@cobs/service-edge";

/** Reads the JSON body of a POST, for a route that has already checked its caller. Refuses as `readJson` does. */
export async function readPostedJson(call: IncomingCall): Promise<IncomingCall> {
  return call.method === "POST" ? { ...call, body: await call.readJson() } : call;
}
