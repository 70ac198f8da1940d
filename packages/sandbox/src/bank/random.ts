import { createHash } from "node:crypto";

/** A stream of numbers in [0, 1), the same for a name on every machine. */
export type Random = () => number;

/** Opens the stream of a name (sfc32, seeded with the SHA-256 of the name); for demo content, never for secrets. */
export function openRandom(name: string): Random {
  const seed = createHash("sha256").update(name).digest();
  let [a, b, c, count] = [
    seed.readInt32LE(0),
    seed.readInt32LE(4),
    seed.readInt32LE(8),
    seed.readInt32LE(12),
  ];
  return () => {
    const sum = (((a + b) | 0) + count) | 0;
    count = (count + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return (sum >>> 0) / 0x1_0000_0000;
  };
}

/** A whole number from `low` to `high`, both included. */
export function pickWhole(random: Random, low: number, high: number): number {
  return low + Math.floor(random() * (high - low + 1));
}

/** Picks one of the items; undefined only if there are none. */
export function pickOne<Item>(random: Random, items: readonly Item[]): Item | undefined {
  return items[Math.floor(random() * items.length)];
}

/** Draws `count` decimal digits. */
export function pickDigits(random: Random, count: number): string {
  return Array.from({ length: count }, () => String(pickWhole(random, 0, 9))).join("");
}
