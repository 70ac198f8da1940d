/** A program whose processes all write to the same standard output, as those of a service do that share its ports. */
import cluster from "node:cluster";
import { createLog } from "../../packages/service-edge/src/log/log.ts";

const WRITERS = 4;
const LINES = 2_000;
/** Lines of all lengths, with letters of two octets. */
const LONGEST = 900;

if (cluster.isPrimary) for (let writer = 1; writer <= WRITERS; writer += 1) cluster.fork();
else {
  const log = createLog("test", "info");
  for (let line = 0; line < LINES; line += 1)
    log.info({ writer: cluster.worker?.id, line, text: "ž".repeat((line * 37) % LONGEST) }, "said");
  cluster.worker?.disconnect();
}
