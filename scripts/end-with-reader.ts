/** Loaded before a command of the repository, which ends with whoever reads what it says. */
import { endWithReader } from "../packages/auth/src/operator/end-with-reader.ts";

endWithReader([process.stdout, process.stderr]);
