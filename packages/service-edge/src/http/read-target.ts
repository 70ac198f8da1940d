import type { IncomingMessage } from "node:http";
import { EdgeRefusal } from "./edge-refusal.ts";
import { headerValues } from "./header-values.ts";

/** The target of a request: its path as received, and the text after the question mark. */
export interface RequestTarget {
  readonly path: string;
  readonly query: string;
}

/** Form of a Host header (RFC 9110 section 7.2): a name or an address, and a port. */
const HOST = /^(?:\[[\w.~!$&'()*+,;=:-]+\]|[\w.~!$&'()*+,;=%-]*)(?::\d*)?$/;
const ABSOLUTE_FORM = /^([A-Za-z][A-Za-z0-9+.-]*):\/\/([^/?#]*)(.*)$/;

/**
 * Settles the host and path of a request, and leaves only the path as its URL, which is what the routes read (RFC 9112 section
 * 3.2). If the request has a whole URL, the host in the URL replaces the Host header. Refuses with `host_malformed`,
 * `host_unknown` or `path_malformed`.
 */
export function settleTarget(request: IncomingMessage, hosts: ReadonlySet<string>): RequestTarget {
  const [, scheme, authority, path] = readAbsoluteForm(request.url);
  if (path !== undefined) request.url = path.startsWith("/") ? path : `/${path}`;
  const [sent, ...others] = headerValues(request, "host");
  if (sent === undefined || others.length > 0 || !HOST.test(sent))
    throw new EdgeRefusal("host_malformed", "the header Host must be sent exactly once, with one host", {
      path: "Host",
    });
  const wanted = scheme === undefined ? sent : scheme.toLowerCase() === "https" ? authority : undefined;
  if (!hosts.has(wanted?.toLowerCase() ?? "")) throw unknownHost(hosts);
  if (authority !== undefined) putHost(request, authority);
  return requireDecodable(splitQuery(request.url));
}

/** Names the first of the hosts, which is not secret because it is in the listener's own URL. */
function unknownHost([own]: ReadonlySet<string>): EdgeRefusal {
  return new EdgeRefusal("host_unknown", `this host is not served here: use https://${own}`, {
    path: "Host",
  });
}

/**
 * Replaces the Host header of a request with a whole URL, which must be ignored (RFC 9112 section 3.2.2); otherwise a page
 * would show it as our origin.
 */
function putHost({ headers, rawHeaders }: IncomingMessage, host: string): void {
  headers.host = host;
  const at = rawHeaders.findIndex((name, index) => index % 2 === 0 && name.toLowerCase() === "host");
  rawHeaders[at + 1] = host;
}

/** Splits a whole URL into parts; returns none if it begins with a path, as nearly all do. */
function readAbsoluteForm(url: string | undefined): readonly (string | undefined)[] {
  return url?.startsWith("/") ? [] : (ABSOLUTE_FORM.exec(url ?? "") ?? []);
}

/** Splits the path from the query. */
function splitQuery(url = ""): RequestTarget {
  const mark = url.indexOf("?");
  return mark === -1 ? { path: url, query: "" } : { path: url.slice(0, mark), query: url.slice(mark + 1) };
}

function requireDecodable(target: RequestTarget): RequestTarget {
  try {
    if (target.path.includes("%")) decodeURIComponent(target.path);
    return target;
  } catch {
    throw new EdgeRefusal("path_malformed", "the path has an escape that does not decode", { path: "path" });
  }
}
