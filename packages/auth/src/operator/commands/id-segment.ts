import { CommandRefusal } from "../command-refusal.ts";

/**
 * Encodes an id as a path segment. Refuses an id that would change the path (RFC 3986 5.2.4): the service would answer for
 * another.
 */
export function idSegment(id: string): string {
  if (!/^\.{0,2}$/.test(id)) return encodeURIComponent(id);
  throw new CommandRefusal("usage", id === "" ? "the id is empty" : `${id} is not a valid id`);
}
