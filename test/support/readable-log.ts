import { Writable } from "node:stream";
import { createLog, type Log } from "@cobs/service-edge";

/** A log whose lines a test can read. */
export function readableLog(): { readonly log: Log; readonly lines: Record<string, unknown>[] } {
  const lines: Record<string, unknown>[] = [];
  const destination = new Writable({
    write: (chunk, _encoding, done) => {
      for (const line of String(chunk).split("\n").filter(Boolean)) lines.push(JSON.parse(line));
      done();
    },
  });
  return { log: createLog("test", "debug", destination), lines };
}
