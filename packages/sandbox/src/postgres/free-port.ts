import { once } from "node:events";
import { createServer } from "node:net";

/** A TCP port that was free on 127.0.0.1 a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string")
    throw new TypeError("a TCP listener has a TCP address");
  return address.port;
}
