import { isPortFree } from "../../packages/sandbox/src/postgres/free-port.ts";

// Processes of the tests that run beside each other follow each other closely in number: each has a range of its own,
// below the one in which the product looks, and goes through it in order. A port is not given out again for long.
const FIRST = 10_000;
const RANGES = 40;
const PORTS_OF_A_RANGE = 250;

let given = 0;

/** A TCP port of 127.0.0.1 that nobody has, and that no other test asks for before it is opened. */
export async function freePort(): Promise<number> {
  const first = FIRST + (process.pid % RANGES) * PORTS_OF_A_RANGE;
  for (let tries = 0; tries < PORTS_OF_A_RANGE; tries += 1) {
    const port = first + (given++ % PORTS_OF_A_RANGE);
    if (await isPortFree(port)) return port;
  }
  throw new Error(`no free port of ${PORTS_OF_A_RANGE} from ${first} on 127.0.0.1`);
}
