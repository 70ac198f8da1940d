import { randomInt } from "node:crypto";
import { createServer } from "node:net";
import { isForbidden } from "../processes/error-codes.ts";

// Below the ports that systems use for outgoing connections (from 32768 on Linux, 49152 elsewhere): a port that is free now
// cannot become the near end of a connection before it is opened.
const FIRST = 20_000;
const END = 32_000;
const MOST_TRIES = 100;

/** A TCP port that was free on 127.0.0.1 a moment ago. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const port = randomInt(FIRST, END);
    if ((await portState(port)) === "free") return port;
  }
  throw new Error(`no free port from ${FIRST} to ${END - 1} on 127.0.0.1`);
}

/** Why a port can or cannot be opened: `taken` by another program, or `forbidden` to us, like those below 1024. */
export type PortState = "free" | "taken" | "forbidden";

/** The state of a TCP port on 127.0.0.1 at this moment. */
export function portState(port: number): Promise<PortState> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", (error) => resolve(isForbidden(error) ? "forbidden" : "taken"));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve("free")));
  });
}
