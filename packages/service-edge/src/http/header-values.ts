import type { IncomingMessage } from "node:http";

/** Of each request whose headers were asked for, all values by lower-case name. */
const read = new WeakMap<IncomingMessage, ReadonlyMap<string, readonly string[]>>();
const NONE: readonly string[] = [];

/**
 * All values of a header, in the order sent. Read from the raw list: Node's `headersDistinct` fails on a header that is
 * named like a member of every object (CVE-2026-21710, before 20.20.2).
 */
export function headerValues(request: IncomingMessage, name: string): readonly string[] {
  let values = read.get(request);
  if (values === undefined) {
    values = valuesByName(request.rawHeaders);
    read.set(request, values);
  }
  return values.get(name.toLowerCase()) ?? NONE;
}

function valuesByName(rawHeaders: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const byName = new Map<string, string[]>();
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const [name = "", value = ""] = [rawHeaders[at]?.toLowerCase(), rawHeaders[at + 1]];
    const known = byName.get(name);
    if (known === undefined) byName.set(name, [value]);
    else known.push(value);
  }
  return byName;
}
