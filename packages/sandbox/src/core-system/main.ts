/**
 * `npm run core-system`: the demo bank of the running sandbox as a core system over mutual TLS, to try the HTTP connector
 * and the test kit with. `CORE_SYSTEM_PORT` is 9445 unless told otherwise; it ends with Ctrl+C.
 */
import { relative, resolve } from "node:path";
import { createLog } from "@cobs/service-edge";
import { readCommandLine } from "../processes/read-command-line.ts";
import { findDatabase } from "../seed/find-database.ts";
import { SeedRefusal } from "../seed/seed-refusal.ts";
import { readSandboxDocument } from "../start/sandbox-document.ts";
import { sandboxLayout } from "../start/sandbox-layout.ts";
import { CORE_SYSTEM_COMMAND } from "./core-system-command.ts";
import { openSandboxCore } from "./open-sandbox-core.ts";
import { presentCore } from "./present-core.ts";

const { CORE_SYSTEM_PORT, LOG_LEVEL, RESOURCE_DATABASE_URL, SANDBOX_DIRECTORY } = process.env;
const layout = sandboxLayout(resolve(SANDBOX_DIRECTORY || ".sandbox"));

// An option that there is not is not passed over.
readCommandLine(CORE_SYSTEM_COMMAND, () => undefined);
await serve();

async function serve(): Promise<void> {
  try {
    const names = {
      urlFile: undefined,
      url: RESOURCE_DATABASE_URL,
      sandboxUrlFile: layout.databaseUrl.resource,
    };
    const core = await openSandboxCore({
      databaseUrl: await findDatabase(names),
      certificates: layout.certificates,
      port: Number(CORE_SYSTEM_PORT || "9445"),
      log: createLog("core-system", LOG_LEVEL || "warn"),
    });
    const psus = (await readSandboxDocument(layout.document))?.psus ?? [];
    const certificates = relative(process.cwd(), layout.certificates);
    process.stdout.write(presentCore(core.url, { certificates, psus: psus.map(({ psuId }) => psuId) }));
    const stop = () => void core.close();
    process.once("SIGINT", stop).once("SIGTERM", stop);
  } catch (error) {
    if (!(error instanceof SeedRefusal)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  }
}
