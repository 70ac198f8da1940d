import type { IncomingCall, Route } from "@cobs/service-edge";

/** Makes a route that redirects to one of our pages. */
export function leadTo(path: string, pathOf: (call: IncomingCall) => string): Route {
  const handle: Route["handle"] = async (call) => ({ status: 303, headers: { Location: pathOf(call) } });
  return { method: "GET", path, handle };
}
