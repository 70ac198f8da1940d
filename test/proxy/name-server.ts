import { createSocket } from "node:dgram";
import { once } from "node:events";

/** A name server (RFC 1035) that answers every name with the same IPv4 addresses. */
export interface NameServer {
  readonly port: number;
  close(): void;
}

const HEADER_BYTES = 12;
const TYPE_A = 1;
const ANSWERED_WITHOUT_ERROR = 0x8180;

/** Opens one on a free port of this machine. */
export async function openNameServer(addresses: readonly string[]): Promise<NameServer> {
  const socket = createSocket("udp4");
  socket.on("message", (query, { port, address }) => socket.send(answerTo(query, addresses), port, address));
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  return { port: socket.address().port, close: () => void socket.close() };
}

function answerTo(query: Buffer, addresses: readonly string[]): Buffer {
  const afterName = query.indexOf(0, HEADER_BYTES) + 1;
  const answers = query.readUInt16BE(afterName) === TYPE_A ? addresses.map(recordOf) : [];
  const header = Buffer.alloc(HEADER_BYTES);
  query.copy(header, 0, 0, 2);
  header.writeUInt16BE(ANSWERED_WITHOUT_ERROR, 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(answers.length, 6);
  return Buffer.concat([header, query.subarray(HEADER_BYTES, afterName + 4), ...answers]);
}

/** A record that points to the name in the question: type A, class IN, TTL one minute, four octets. */
function recordOf(address: string): Buffer {
  return Buffer.from([
    0xc0,
    HEADER_BYTES,
    0,
    TYPE_A,
    0,
    1,
    0,
    0,
    0,
    60,
    0,
    4,
    ...address.split(".").map(Number),
  ]);
}
