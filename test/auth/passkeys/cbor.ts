/**
 * CBOR values that the software authenticator writes (RFC 8949): only the types that a COSE_Key and an attestation object need.
 */
export type Cbor = number | string | Uint8Array | readonly Cbor[] | ReadonlyMap<number | string, Cbor>;

const UNSIGNED = 0;
const NEGATIVE = 1;
const BYTES = 2;
const TEXT = 3;
const ARRAY = 4;
const MAP = 5;

/** Encodes a value with its shortest lengths. */
export function encodeCbor(value: Cbor): Buffer {
  if (typeof value === "number") return value >= 0 ? head(UNSIGNED, value) : head(NEGATIVE, -1 - value);
  if (typeof value === "string")
    return Buffer.concat([head(TEXT, Buffer.byteLength(value)), Buffer.from(value)]);
  if (value instanceof Uint8Array) return Buffer.concat([head(BYTES, value.length), value]);
  if (isArray(value)) return Buffer.concat([head(ARRAY, value.length), ...value.map(encodeCbor)]);
  const members = [...value].flatMap(([name, member]) => [encodeCbor(name), encodeCbor(member)]);
  return Buffer.concat([head(MAP, value.size), ...members]);
}

/** Tells the compiler what `Array.isArray` does not: which of the types is meant. */
function isArray(value: Cbor): value is readonly Cbor[] {
  return Array.isArray(value);
}

function head(type: number, size: number): Buffer {
  const first = type << 5;
  if (size < 24) return Buffer.of(first | size);
  if (size < 256) return Buffer.of(first | 24, size);
  return Buffer.of(first | 25, size >> 8, size & 255);
}
