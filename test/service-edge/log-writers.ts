/** A program whose processes all write to the same standard output, like processes of a service that share its ports. */
import cluster from "node:cluster";
import { createLog } from "../../packages/service-edge/src/log/log.ts";

const WRITERS = 4;
const LINES = 2_000;
/** Maximum length of the lines, which contain letters of two octets. */
const LONGEST = 900;

const log = createLog("test", "info");
function writeLines(writer: number): void {
  for (let line = 0; line < LINES; line += 1)
    log.info({ writer, line, text: "ž".repeat((line * 37) % LONGEST) }, "said");
}

if (cluster.isPrimary) {
  for (let writer = 1; writer < WRITERS; writer += 1) cluster.fork();
  cluster.once("online", () => writeLines(WRITERS));
} else {
  writeLines(cluster.worker?.id ?? 0);
  cluster.worker?.disconnect();
}
