import { createServer } from "node:net";
import { portState } from "../../packages/sandbox/src/postgres/free-port.ts";

// Below those in which the product looks. A process of the tests goes through a range that no other has, in order: a port is
// not given out again for long, and nobody takes that of a server which is killed and started again.
const FIRST = 10_000;
const RANGES = 40;
const PORTS_OF_A_RANGE = 250;

let claimed: Promise<number> | undefined;
let given = 0;

/** A TCP port of 127.0.0.1 that nobody has, and that no other test asks for before it is opened. */
export async function freePort(): Promise<number> {
  claimed ??= claimRange();
  const first = await claimed;
  for (let tries = 1; tries < PORTS_OF_A_RANGE; tries += 1) {
    const port = first + 1 + (given++ % (PORTS_OF_A_RANGE - 1));
    if ((await portState(port)) === "free") return port;
  }
  throw new Error(`no free port of ${PORTS_OF_A_RANGE} from ${first} on 127.0.0.1`);
}

/** Has the first port of a range to the end of this process, as the mark that the range is taken; gives that port. */
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
