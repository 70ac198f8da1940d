import type { SandboxLayout } from "../sandbox-folder/sandbox-layout.ts";
import type { SandboxCore } from "./config.ts";
import type { SandboxDatabases } from "./databases.ts";
import { appendToLog } from "./service-log.ts";
import type { StopOrder } from "./stop-order.ts";

/** What running a core system takes. */
export interface CoreToRun {
  readonly core: SandboxCore;
  readonly layout: SandboxLayout;
  readonly databases: SandboxDatabases;
  readonly stopOrder: StopOrder;
  /** Says a line to the person at the terminal. */
  readonly say: (line: string) => void;
}

/**
 * The URL of the core system that resource is to ask; undefined where it asks none. The one of the demo bank is started in this
 * process; one of somebody's own is theirs, and not even looked at.
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
    say(`accounts and payments are those of the core system at ${core.href}`);
    return core.href;
  }
  // Loaded only where it is wanted: it needs much that nobody else here does.
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
