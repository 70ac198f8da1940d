import { createServer } from "node:net";
import { portState } from "../../packages/sandbox/src/postgres/free-port.ts";

// Below the ports that the product tries. Each test process goes through its own range in order, so that a port is not given
// out again for long, and no process takes the port of a server that is killed and restarted.
const FIRST = 10_000;
const RANGES = 40;
const PORTS_OF_A_RANGE = 250;

let claimed: Promise<number> | undefined;
let given = 0;

/** Returns a free TCP port of 127.0.0.1 that no other test asks for before it is opened. */
export async function freePort(): Promise<number> {
  claimed ??= claimRange();
  const first = await claimed;
  for (let tries = 1; tries < PORTS_OF_A_RANGE; tries += 1) {
    const port = first + 1 + (given++ % (PORTS_OF_A_RANGE - 1));
    if ((await portState(port)) === "free") return port;
  }
  throw new Error(`no free port of ${PORTS_OF_A_RANGE} from ${first} on 127.0.0.1`);
}

/** Claims a range by holding its first port until this process ends; returns that port. */
async function claimRange(): Promise<number> {
  for (let tries = 0; tries < RANGES; tries += 1) {
    const first = FIRST + ((process.pid + tries) % RANGES) * PORTS_OF_A_RANGE;
    if (await holdPort(first)) return first;
  }
  throw new Error(`every range of ports from ${FIRST} on is taken`);
}

function holdPort(port: number): Promise<boolean> {
  const server = createServer().unref();
  return new Promise((resolve) => {
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => resolve(true));
  });
}
