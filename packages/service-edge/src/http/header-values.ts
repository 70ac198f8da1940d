import type { IncomingMessage } from "node:http";
import { EdgeRefusal } from "./edge-refusal.ts";

/** Headers that are lists, whose lines form one value (RFC 9110 section 5.2). */
const LISTS: ReadonlySet<string> = new Set(["accept", "accept-language", "if-match", "if-none-match"]);
const NONE: readonly string[] = [];

/**
 * Returns all values of a header, in the order sent. Reads the raw list, because Node's `headersDistinct` fails on a header
 * that is named like a member of every object (CVE-2026-21710, before 20.20.2).
 */
export function headerValues({ headers, rawHeaders }: IncomingMessage, name: string): readonly string[] {
  const wanted = name.toLowerCase();
  // A cheap check first: Node has parsed the names, and most headers asked for were not sent.
  if (headers[wanted] === undefined) return NONE;
  const values: string[] = [];
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const sent = rawHeaders[at];
    if (sent?.length === wanted.length && sent.toLowerCase() === wanted)
      values.push(rawHeaders[at + 1] ?? "");
  }
  return values;
}

/** Returns the one value of a header; refuses with `header_repeated` if it came more than once and is not a list. */
export function singleHeader(request: IncomingMessage, name: string): string | undefined {
  const values = headerValues(request, name);
  if (values.length <= 1) return values[0];
  if (LISTS.has(name.toLowerCase())) return values.join(", ");
  throw new EdgeRefusal("header_repeated", `the header ${name} was sent more than once`, { path: name });
}
