import type { SandboxLayout } from "../sandbox-folder/sandbox-layout.ts";
import type { SandboxCore } from "./config.ts";
import type { SandboxDatabases } from "./databases.ts";
import { appendToLog } from "./service-log.ts";
import type { StopOrder } from "./stop-order.ts";

/** What running a core system needs. */
export interface CoreToRun {
  readonly core: SandboxCore;
  readonly layout: SandboxLayout;
  readonly databases: SandboxDatabases;
  readonly stopOrder: StopOrder;
  /** Prints a line for the person at the terminal. */
  readonly say: (line: string) => void;
}

/**
 * Gives the URL of the core system that resource is to ask; undefined if none. That of the demo bank is started in this
 * process; an external one is only named, and not contacted.
 */
export async function runCore({
  core,
  layout,
  databases,
  stopOrder,
  say,
}: CoreToRun): Promise<string | undefined> {
  if (core === "direct") return undefined;
  if (core !== "connector") {
    say(
      `accounts and payments are those of the core system at ${core.href}; npm run tpp -- demo leaves out its payment, and npm run seed adds nothing there`,
    );
    return core.href;
  }
  // Loaded on demand: it needs much that nothing else here does.
  const [{ createLog }, { openSandboxCore }] = await Promise.all([
    import("@cobs/service-edge/database"),
    import("../core-system/open-sandbox-core.ts"),
  ]);
  const log = createLog("core-system", "info", appendToLog(layout.logs.sandbox));
  const opened = await openSandboxCore({
    databaseUrl: databases.urls.resource,
    certificates: layout.certificates,
    port: 0,
    log,
  });
  await stopOrder.add({ stop: opened.close });
  say(`the demo bank is a core system at ${opened.url}`);
  return opened.url;
}
