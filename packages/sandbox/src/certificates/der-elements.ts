/** A DER element: its contents, and the whole encoding. */
export type DerElementSpan = { readonly tag: number; readonly contents: Buffer; readonly encoded: Buffer };

/** Splits octets that were written here into their elements; it trusts them and checks nothing. */
export function readDerElements(octets: Buffer = Buffer.alloc(0)): readonly DerElementSpan[] {
  const elements: DerElementSpan[] = [];
  for (let at = 0; at < octets.length; ) {
    const { start, end } = spanAt(octets, at);
    elements.push({
      tag: octets[at] ?? 0,
      contents: octets.subarray(start, end),
      encoded: octets.subarray(at, end),
    });
    at = end;
  }
  return elements;
}

function spanAt(octets: Buffer, at: number): { readonly start: number; readonly end: number } {
  const first = octets[at + 1] ?? 0;
  if (first < 0x80) return { start: at + 2, end: at + 2 + first };
  const count = first - 0x80;
  const start = at + 2 + count;
  return { start, end: start + octets.readUIntBE(at + 2, count) };
}
