/** Loaded before a command of the repository, which ends with whoever reads what it says. */
import { endWithReader } from "../packages/service-edge/src/lifecycle/end-with-reader.ts";

endWithReader([process.stdout, process.stderr]);
