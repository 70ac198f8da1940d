import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** What is left on the heap, in octets, when everything is collected that nobody holds any more. */
export function heapAfterCollection(): number {
  setFlagsFromString("--expose-gc");
  runInNewContext("gc")();
  return process.memoryUsage().heapUsed;
}
