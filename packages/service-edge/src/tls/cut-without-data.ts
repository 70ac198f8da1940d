import type { Socket } from "node:net";

/** A connection after its handshake: the TLS socket, and the socket below it, which counts the octets on the line. */
export interface Established {
  readonly secure: Socket;
  readonly below: Socket;
}

/** What a connection has received, and how much of that was more than its data explain. */
interface Received {
  readonly line: number;
  readonly data: number;
  readonly excess: number;
}

const SWEEP_MILLISECONDS = 500;
/**
 * Octets on the line for one octet of data that need no explanation: a record has 22 to 29 more than its data. Each octet more
 * would let a caller hide as many octets of KeyUpdate messages behind its data, of which 1 MB takes a second.
 */
const FOR_ONE_OCTET = 1.25;
const MOST_EXCESS_OCTETS = 262_144;
const FORGIVEN_OCTETS = 32_768;

/**
 * Cuts connections whose caller sends much without data, and tells of each; returns a function that ends the watch. OpenSSL
 * handles any number of KeyUpdate messages (RFC 8446 section 4.6.3), each of which costs new keys and, if requested, an answer;
 * it reports none of them, and Node.js reads 2 MB of them before it looks at anybody else.
 */
export function cutWithoutData(established: () => Iterable<Established>, tell: () => void): () => void {
  const sweep = setInterval(createSweep(established, tell), SWEEP_MILLISECONDS);
  sweep.unref();
  return () => clearInterval(sweep);
}

/** What {@link cutWithoutData} does twice in a second. */
export function createSweep(established: () => Iterable<Established>, tell: () => void): () => void {
  let before = new Map<Socket, Received>();
  return () => {
    const now = new Map<Socket, Received>();
    for (const { secure, below } of established()) {
      const received = receivedOn(secure, below, before.get(secure));
      now.set(secure, received);
      if (received.excess <= MOST_EXCESS_OCTETS) continue;
      tell();
      secure.destroy();
    }
    before = now;
  };
}

/** The first time, all octets are those of the handshake. */
function receivedOn(secure: Socket, below: Socket, before: Received | undefined): Received {
  const line = below.bytesRead;
  const data = secure.bytesRead;
  if (before === undefined) return { line, data, excess: 0 };
  const added = line - before.line - FOR_ONE_OCTET * (data - before.data);
  return { line, data, excess: Math.max(0, before.excess + added - FORGIVEN_OCTETS) };
}
