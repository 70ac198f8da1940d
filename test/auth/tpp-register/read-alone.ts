/** Reads a register's file for one TPP, in a process whose memory the caller limits, and prints the TPP's standing there. */
import { readRegisterFile } from "../../../packages/auth/src/tpp-register/read-register-file.ts";

const [path = "", wanted = ""] = process.argv.slice(2);
const { signal } = new AbortController();
const { standings } = await readRegisterFile({ path, wanted: new Set([wanted]), day: "2026-11-21", signal });
process.stdout.write(standings.get(wanted) ?? "unknown");
