import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { connect } from "node:net";

/** What a server chose in the first message of a TLS 1.2 handshake (RFC 5246 7.4.1.3). */
export interface ServerHello {
  readonly compressionMethod: number;
  readonly extensions: readonly number[];
}

const DEFLATE = 1;
const NO_COMPRESSION = 0;
const HANDSHAKE = 0x16;
const SERVER_HELLO = 0x02;

const number16 = (value: number) => Buffer.from([value >> 8, value & 0xff]);
const vector8 = (content: Buffer) => Buffer.concat([Buffer.from([content.length]), content]);
const vector16 = (content: Buffer) => Buffer.concat([number16(content.length), content]);
const extension = (type: number, content: Buffer) => Buffer.concat([number16(type), vector16(content)]);

/** A ClientHello for TLS 1.2 that offers compression, which present clients cannot be made to send. */
function clientHello(): Buffer {
  const suites = [0xc02b, 0xc02c, 0xc02f, 0xc030].map(number16);
  const groups = [0x0017, 0x0018].map(number16);
  const algorithms = [0x0403, 0x0503, 0x0804].map(number16);
  const extensions = [
    extension(0x000a, vector16(Buffer.concat(groups))),
    extension(0x000b, vector8(Buffer.from([0]))),
    extension(0x000d, vector16(Buffer.concat(algorithms))),
    extension(0xff01, vector8(Buffer.alloc(0))),
  ];
  const body = Buffer.concat([
    number16(0x0303),
    randomBytes(32),
    vector8(Buffer.alloc(0)),
    vector16(Buffer.concat(suites)),
    vector8(Buffer.from([DEFLATE, NO_COMPRESSION])),
    vector16(Buffer.concat(extensions)),
  ]);
  const message = Buffer.concat([Buffer.from([1, 0]), vector16(body)]);
  return Buffer.concat([Buffer.from([HANDSHAKE, 3, 1]), vector16(message)]);
}

/** What a port of localhost answers to a client that prefers DEFLATE to no compression. */
export async function askForCompression(port: string): Promise<ServerHello> {
  const socket = connect(Number(port), "localhost");
  socket.write(clientHello());
  const [answer]: Buffer[] = await once(socket, "data");
  socket.destroy();
  return readServerHello(answer ?? Buffer.alloc(0));
}

function readServerHello(record: Buffer): ServerHello {
  if (record[0] !== HANDSHAKE || record[5] !== SERVER_HELLO)
    throw new Error(`no ServerHello: ${record.subarray(0, 16).toString("hex")}`);
  // The session id follows the record header, handshake header, version and random.
  const afterSession = 44 + record.readUInt8(43);
  const compressionMethod = record.readUInt8(afterSession + 2);
  const extensions: number[] = [];
  const start = afterSession + 5;
  const end = start + record.readUInt16BE(afterSession + 3);
  for (let at = start; at < end; at += 4 + record.readUInt16BE(at + 2))
    extensions.push(record.readUInt16BE(at));
  return { compressionMethod, extensions };
}
