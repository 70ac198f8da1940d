import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import { connect, type Socket } from "node:net";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { eventually } from "./eventually.ts";

const CALLERS = 10;
/** What never comes is told as such; a busy machine takes its time for so many chunks. */
const LIMIT_MILLISECONDS = 100_000;

/**
 * What a server holds, in bytes of memory for each octet, of bodies that come in chunks of one octet and do not end. `head` is
 * that of a request, up to its transfer coding.
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
