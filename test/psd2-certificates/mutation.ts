/** One change of some octets; `place` is in ten-thousandths of the whole. */
export type Mutation = {
  readonly kind: "set" | "flip" | "insert" | "remove" | "repeat";
  readonly place: number;
  readonly octet: number;
};

/** The octets with one change. */
export function mutate(bytes: Buffer, { kind, place, octet }: Mutation): Buffer {
  const at = Math.floor((place * bytes.length) / 10_000);
  const [before, after] = [bytes.subarray(0, at), bytes.subarray(at + 1)];
  const here = bytes[at] ?? 0;
  const middles = {
    set: [octet],
    flip: [here ^ (1 << (octet % 8))],
    insert: [octet, here],
    remove: [],
    repeat: [here, ...bytes.subarray(at, at + (octet % 16))],
  };
  return Buffer.concat([before, Buffer.from(middles[kind]), after]);
}
