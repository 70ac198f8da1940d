import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Octets left on the heap after a full garbage collection. */
export function heapAfterCollection(): number {
  setFlagsFromString("--expose-gc");
  runInNewContext("gc")();
  return process.memoryUsage().heapUsed;
}
