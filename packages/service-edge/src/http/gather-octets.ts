/** The octets of one message that comes in pieces. */
export interface GatheredOctets {
  length(): number;
  add(piece: Buffer): void;
  /** All until now, in one. */
  all(): Buffer;
}

/** Most messages of two pieces have room in it. */
const LEAST_ROOM_OCTETS = 4_096;

/**
 * Gathers pieces, of which the second and all after it are copied as they come: kept by itself, one octet weighs as much as a
 * hundred, and whoever sends a message decides into how many pieces it comes. There is room for at most twice what has come.
 */
export function gatherOctets(): GatheredOctets {
  // The first piece is a room that is full: nothing is ever written into it.
  let room: Buffer = Buffer.alloc(0);
  let length = 0;

  function enlarge(wanted: number): void {
    // Not out of the pool that Node.js shares among small ones, of which any piece keeps the whole.
    const larger = Buffer.allocUnsafeSlow(Math.max(LEAST_ROOM_OCTETS, wanted, 2 * length));
    room.copy(larger, 0, 0, length);
    room = larger;
  }

  return {
    length: () => length,
    add(piece) {
      if (length === 0) {
        room = piece;
        length = piece.length;
        return;
      }
      if (length + piece.length > room.length) enlarge(length + piece.length);
      length += piece.copy(room, length);
    },
    all: () => room.subarray(0, length),
  };
}
