import { crc32, deflateSync, inflateSync } from "node:zlib";

const SIGNATURE_BYTES = 8;
const LENGTH_AND_TYPE_BYTES = 8;
const CHECKSUM_BYTES = 4;
const RGB_BYTES = 3;
const MOST_COLOURS = 256;

/**
 * Reduces a picture to its 256 most frequent colours, which takes a third of the bytes: Chromium writes eight bits per RGB
 * channel.
 */
export function packPng(png: Buffer): Buffer {
  const header = Buffer.from(dataOf(png, "IHDR"));
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const colours = coloursOf(inflateSync(dataOf(png, "IDAT")), width, height);
  const palette = mostFrequent(colours);
  const nearest = new Map<number, number>();
  const pixels = Buffer.alloc((width + 1) * height);
  colours.forEach((colour, index) => {
    const entry = nearest.get(colour) ?? findNearest(palette, colour);
    nearest.set(colour, entry);
    // Each line begins with the number of its filter: none.
    pixels[index + Math.floor(index / width) + 1] = entry;
  });
  // Eight bits per pixel, each an index into the palette.
  header.set([8, 3], 8);
  const entries = Buffer.from(palette.flatMap((colour) => [colour >> 16, (colour >> 8) & 255, colour & 255]));
  return Buffer.concat([
    png.subarray(0, SIGNATURE_BYTES),
    chunk("IHDR", header),
    chunk("PLTE", entries),
    chunk("IDAT", deflateSync(pixels, { level: 9 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

/** The content of all chunks of a type. */
function dataOf(png: Buffer, type: string): Buffer {
  const found: Buffer[] = [];
  for (let at = SIGNATURE_BYTES; at < png.length; ) {
    const start = at + LENGTH_AND_TYPE_BYTES;
    const end = start + png.readUInt32BE(at);
    if (png.toString("latin1", at + 4, start) === type) found.push(png.subarray(start, end));
    at = end + CHECKSUM_BYTES;
  }
  return Buffer.concat(found);
}

/** The colour of each pixel, line by line, after undoing each line's filter (PNG section 9). */
function coloursOf(filtered: Buffer, width: number, height: number): number[] {
  const bytes = width * RGB_BYTES;
  const colours: number[] = [];
  let above = Buffer.alloc(bytes);
  for (let line = 0; line < height; line += 1) {
    const [start, end] = [line * (bytes + 1), (line + 1) * (bytes + 1)];
    const current = Buffer.from(filtered.subarray(start + 1, end));
    current.forEach((byte, at) => {
      const left = current[at - RGB_BYTES] ?? 0;
      const corner = above[at - RGB_BYTES] ?? 0;
      current[at] = byte + predict(filtered[start] ?? 0, { left, up: above[at] ?? 0, corner });
    });
    for (let at = 0; at < bytes; at += RGB_BYTES) colours.push(current.readUIntBE(at, RGB_BYTES));
    above = current;
  }
  return colours;
}

interface Neighbours {
  readonly left: number;
  readonly up: number;
  readonly corner: number;
}

function predict(filter: number, { left, up, corner }: Neighbours): number {
  if (filter === 0) return 0;
  if (filter === 1) return left;
  if (filter === 2) return up;
  if (filter === 3) return Math.floor((left + up) / 2);
  const [byLeft, byUp, byCorner] = [
    Math.abs(up - corner),
    Math.abs(left - corner),
    Math.abs(left + up - 2 * corner),
  ];
  if (byLeft <= byUp && byLeft <= byCorner) return left;
  return byUp <= byCorner ? up : corner;
}

function mostFrequent(colours: readonly number[]): readonly number[] {
  const counts = new Map<number, number>();
  for (const colour of colours) counts.set(colour, (counts.get(colour) ?? 0) + 1);
  const ordered = [...counts].sort(([, one], [, other]) => other - one);
  return ordered.slice(0, MOST_COLOURS).map(([colour]) => colour);
}

function findNearest(palette: readonly number[], colour: number): number {
  const distances = palette.map((entry) =>
    [16, 8, 0].reduce((sum, shift) => sum + (((entry >> shift) & 255) - ((colour >> shift) & 255)) ** 2, 0),
  );
  return distances.indexOf(Math.min(...distances));
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  checksum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, checksum]);
}
