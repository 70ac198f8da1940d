/**
 * `npm run core-system`: serves the demo bank of the running sandbox as a core system over mutual TLS, to try the HTTP
 * connector and the test kit. `CORE_SYSTEM_PORT` is 9445 by default; Ctrl+C ends it.
 */
import { relative } from "node:path";
import { ConfigurationRefusal } from "@cobs/service-edge/configuration";
import { readSandboxDocument } from "../sandbox-folder/sandbox-document.ts";
import { sandboxLayout } from "../sandbox-folder/sandbox-layout.ts";
import { findDatabase } from "../seed/find-database.ts";
import { CommandRefusal } from "../terminal/command-refusal.ts";
import { onInterruption } from "../terminal/on-interruption.ts";
import { readCommandLine } from "../terminal/read-command-line.ts";
import { CORE_SYSTEM_COMMAND } from "./core-system-command.ts";
import { configureCoreSystem } from "./core-system-config.ts";
import { presentCore } from "./present-core.ts";

const EXIT_CONFIGURATION = 78;

// Refuses unknown options.
await readCommandLine(CORE_SYSTEM_COMMAND, () => undefined);
const { createLog, PortTaken } = await import("@cobs/service-edge");
const { openSandboxCore } = await import("./open-sandbox-core.ts");
const { requireAnswering } = await import("../seed/connect-postgres.ts");
try {
  await serve();
} catch (error) {
  process.exit(reportFailure(error));
}

async function serve(): Promise<void> {
  const { port, directory, databaseUrl, logLevel } = configureCoreSystem(process.env);
  const layout = sandboxLayout(directory);
  const names = { urlFile: undefined, url: databaseUrl, sandboxUrlFile: layout.databaseUrl.resource };
  const url = await findDatabase(names);
  // Checked because it would serve without a database too: a person who forgot to start the sandbox would wait for answers.
  await requireAnswering(url, "core-system");
  const core = await openSandboxCore({
    databaseUrl: url,
    certificates: layout.certificates,
    port,
    log: createLog("core-system", logLevel),
  });
  onInterruption(() => void core.close());
  const psus = (await readSandboxDocument(layout.document))?.psus ?? [];
  const certificates = relative(process.cwd(), layout.certificates);
  process.stdout.write(presentCore(core.url, { certificates, psus }));
}

/** Reports an expected failure in a sentence; any other is a bug, shown with its stack. */
function reportFailure(error: unknown): number {
  const isExpected = [CommandRefusal, PortTaken, ConfigurationRefusal].some((kind) => error instanceof kind);
  if (!isExpected || !(error instanceof Error)) throw error;
  const hint = error instanceof PortTaken ? "; choose another with CORE_SYSTEM_PORT" : "";
  process.stderr.write(`${error.message}${hint}\n`);
  if (error instanceof CommandRefusal) return error.exitCode;
  return error instanceof ConfigurationRefusal ? EXIT_CONFIGURATION : 1;
}
