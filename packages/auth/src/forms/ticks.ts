/** Writes which items of a list are ticked, as a bit set in base64url: bit `n` stands for the item at place `n`. */
export function writeTicks(ids: readonly string[], ticked: ReadonlySet<string>): string {
  const bits = Buffer.alloc(Math.ceil(ids.length / 8));
  ids.forEach((id, place) => {
    if (ticked.has(id)) bits.writeUInt8(bits.readUInt8(place >> 3) | (1 << (place & 7)), place >> 3);
  });
  return bits.toString("base64url");
}

/** Reads the ticked items, in the order of the list; undefined when the text was not written for a list of this length. */
export function readTicks<Id extends string>(ids: readonly Id[], text: string): readonly Id[] | undefined {
  const bits = Buffer.from(text, "base64url");
  if (bits.length !== Math.ceil(ids.length / 8) || bits.toString("base64url") !== text) return undefined;
  return ids.filter((_, place) => (bits.readUInt8(place >> 3) & (1 << (place & 7))) !== 0);
}
