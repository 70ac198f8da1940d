import { CommandRefusal } from "../command-refusal.ts";

/** An id as a part of a path. Refuses what makes another path of it (RFC 3986 5.2.4), of which a service would tell. */
export function idSegment(id: string): string {
  if (!/^\.{0,2}$/.test(id)) return encodeURIComponent(id);
  throw new CommandRefusal("usage", id === "" ? "an id is empty" : `${id} is no id`);
}
