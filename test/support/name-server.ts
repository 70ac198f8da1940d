import { createSocket, type RemoteInfo } from "node:dgram";
import { once } from "node:events";

/** A real name server on this machine (RFC 1035). */
export interface NameServer {
  /** Address in the form that a resolver accepts. */
  readonly address: string;
  /** Names that were asked for, once for each kind of address. */
  readonly asked: readonly string[];
  close(): void;
}

const HEADER_OCTETS = 12;
const KINDS: ReadonlyMap<number, 4 | 6> = new Map([
  [1, 4],
  [28, 6],
]);

/** Opens a name server; `find` is called at each question, with a name and a kind of address. */
export async function openNameServer(
  find: (name: string, family: 4 | 6) => readonly string[] | "silent" | undefined,
): Promise<NameServer> {
  const socket = createSocket("udp4");
  const asked: string[] = [];
  const answer = (question: Buffer, { port, address }: RemoteInfo) => {
    const { name, family, end } = readQuestion(question);
    asked.push(name);
    const known = find(name, family);
    if (known !== "silent") socket.send(answerTo(question.subarray(0, end), known), port, address);
  };
  socket.on("message", answer).bind(0, "127.0.0.1");
  await once(socket, "listening");
  return { address: `127.0.0.1:${socket.address().port}`, asked, close: () => socket.close() };
}

function readQuestion(question: Buffer): { name: string; family: 4 | 6; end: number } {
  const labels: string[] = [];
  let at = HEADER_OCTETS;
  for (let length = question.readUInt8(at); length > 0; length = question.readUInt8(at)) {
    labels.push(question.toString("latin1", at + 1, at + 1 + length));
    at += 1 + length;
  }
  const family = KINDS.get(question.readUInt16BE(at + 1));
  if (family === undefined) throw new Error("asked for what is no address");
  return { name: labels.join(".").toLowerCase(), family, end: at + 5 };
}

function answerTo(question: Buffer, addresses: readonly string[] | undefined): Buffer {
  const header = Buffer.from(question.subarray(0, HEADER_OCTETS));
  // A response with recursion available: code NOERROR or NXDOMAIN.
  header.writeUInt16BE(addresses === undefined ? 0x8183 : 0x8180, 2);
  header.writeUInt16BE(addresses?.length ?? 0, 6);
  header.writeUInt32BE(0, 8);
  const records = (addresses ?? []).map((address) => {
    const octets = octetsOf(address);
    const record = Buffer.from("c00c00000001000000000000", "hex");
    record.writeUInt16BE(octets.length === 4 ? 1 : 28, 2);
    record.writeUInt16BE(octets.length, 10);
    return Buffer.concat([record, octets]);
  });
  return Buffer.concat([header, question.subarray(HEADER_OCTETS), ...records]);
}

/** Octets of an IPv4 address, or of an IPv6 address with all its groups. */
function octetsOf(address: string): Buffer {
  if (address.includes(".")) return Buffer.from(address.split(".").map(Number));
  return Buffer.from(
    address
      .split(":")
      .map((group) => group.padStart(4, "0"))
      .join(""),
    "hex",
  );
}
