/** Preloaded before a command of the repository, so that it ends together with the process that reads its output. */
import { endWithReader } from "../packages/service-edge/src/lifecycle/end-with-reader.ts";

endWithReader([process.stdout, process.stderr]);
