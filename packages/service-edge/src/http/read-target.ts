import type { IncomingMessage } from "node:http";
import { EdgeRefusal } from "./edge-refusal.ts";
import { headerValues } from "./header-values.ts";

const ABSOLUTE_FORM = /^([A-Za-z][A-Za-z0-9+.-]*):\/\/([^/?#]*)(.*)$/;

/**
 * Settles which host and path a request is for, and leaves only the path as its URL (RFC 9112 section 3.2): one that came
 * as a whole URL counts for the host in there, whatever its Host header says, and only this text is read by the routes.
 * Refuses with `host_unknown` or `path_malformed`.
 */
export function settleTarget(request: IncomingMessage, hosts: readonly string[]): void {
  const [, scheme, authority, path] = ABSOLUTE_FORM.exec(request.url ?? "") ?? [];
  if (path !== undefined) request.url = path.startsWith("/") ? path : `/${path}`;
  const sent = headerValues(request, "host");
  const wanted = scheme === undefined ? sent : [scheme.toLowerCase() === "https" ? authority : ""];
  if (sent.length > 1 || wanted.length !== 1 || !hosts.includes(wanted[0]?.toLowerCase() ?? "")) {
    throw new EdgeRefusal("host_unknown", "this host is not served here", { path: "Host" });
  }
  requireDecodable((request.url ?? "").split("?", 1)[0] ?? "");
}

function requireDecodable(path: string): void {
  try {
    decodeURIComponent(path);
  } catch {
    throw new EdgeRefusal("path_malformed", "the path has an escape that does not decode", { path: "path" });
  }
}
