/** A program that runs a shell script under a watchdog with some seconds of grace, and waits for it. */
import { once } from "node:events";
import { spawnWithWatchdog } from "../../../packages/sandbox/src/processes/spawn-with-watchdog.ts";

const [, , script = "", graceSeconds = "1"] = process.argv;
const child = spawnWithWatchdog(
  {
    command: ["sh", "-c", script],
    cwd: "/",
    env: { PATH: "/usr/bin:/bin" },
    stdio: ["ignore", "inherit", "ignore"],
  },
  { first: "SIGTERM", last: "SIGKILL", graceSeconds: Number(graceSeconds) },
);
await once(child, "exit");
