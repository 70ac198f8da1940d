/** The octets of one message that arrives in pieces. */
export interface GatheredOctets {
  length(): number;
  add(piece: Buffer): void;
  /** Returns all octets so far in one buffer. */
  all(): Buffer;
}

/** Least size of the buffer; most messages of two pieces fit into it. */
const LEAST_ROOM_OCTETS = 4_096;

/**
 * Gathers pieces, copying all but the first as they arrive. The sender decides how many pieces there are, and a piece of one
 * octet kept by itself takes as much memory as one of a hundred. The buffer is at most twice as large as what has arrived.
 */
export function gatherOctets(): GatheredOctets {
  // The first piece serves as a full buffer: nothing is ever written into it.
  let room: Buffer = Buffer.alloc(0);
  let length = 0;

  function enlarge(wanted: number): void {
    // Not from the pool that Node.js shares among small buffers, because any piece of it keeps all of it alive.
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
