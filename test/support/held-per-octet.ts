import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import { connect, type Socket } from "node:net";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { eventually } from "./eventually.ts";

const CALLERS = 10;
/** After this time the chunks count as never arriving; generous, because many chunks take time on a busy machine. */
const LIMIT_MILLISECONDS = 100_000;

/**
 * Bytes of memory that a server holds per octet of unfinished bodies that arrive in chunks of one octet. `head` is the
 * request's head, up to its transfer coding.
 */
export async function heldPerOctet(handle: RequestListener, head: string, body: Buffer): Promise<number> {
  setFlagsFromString("--expose-gc");
  const collect: () => void = runInNewContext("gc");
  const sockets: Socket[] = [];
  const server = createServer(handle).on("connection", (socket) => sockets.push(socket));
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = Object(server.address());
  const chunks = [...body].map((octet) => Buffer.from([0x31, 13, 10, octet, 13, 10]));
  const sent = Buffer.concat([Buffer.from(`${head}Transfer-Encoding: chunked\r\n\r\n`), ...chunks]);
  const callers: Socket[] = [];
  try {
    collect();
    const atFirst = process.memoryUsage().heapUsed;
    for (let count = 0; count < CALLERS; count += 1) {
      const caller = connect(port, "127.0.0.1").on("error", () => undefined);
      caller.write(sent);
      callers.push(caller);
    }
    const hasCome = ({ bytesRead }: Socket) => bytesRead === sent.length;
    await eventually(() => sockets.length === CALLERS && sockets.every(hasCome), LIMIT_MILLISECONDS);
    collect();
    return (process.memoryUsage().heapUsed - atFirst) / (CALLERS * body.length);
  } finally {
    for (const caller of callers) caller.destroy();
    server.close();
  }
}
