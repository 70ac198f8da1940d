import { readFileSync } from "node:fs";
import { openSandboxBank, startSettlingOrders } from "@cobs/resource/sandbox";
import { openDatabase, type Secret } from "@cobs/service-edge";
import type { SandboxCertificates } from "../../../packages/sandbox/src/certificates/sandbox-certificates.ts";
import { openCoreSystem } from "../../../packages/sandbox/src/core-system/open-core-system.ts";
import { readableLog } from "../../support/readable-log.ts";
import { PATIENT } from "../../support/test-databases.ts";

/** A core system over the sandbox bank of a database, and resource's settings for asking it. */
export interface SandboxCore {
  readonly url: string;
  readonly environment: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

/** Starts a core system over mutual TLS; the database may be migrated and filled later. */
export async function startSandboxCore(
  databaseUrl: Secret,
  certificates: SandboxCertificates,
): Promise<SandboxCore> {
  const { log } = readableLog();
  const database = openDatabase({
    url: databaseUrl,
    maxConnections: 8,
    applicationName: "core-system",
    log,
    timeLimits: PATIENT,
  });
  const core = await openCoreSystem(openSandboxBank(database), {
    port: 0,
    keyPair: certificates.server.resourceBank,
    authority: readFileSync(certificates.privateCaFile, "utf8"),
    log,
  });
  const settling = startSettlingOrders({ database, log });
  const environment = {
    BANK: "http",
    CORE_URL: core.url,
    CORE_AUTHORITY_FILE: certificates.privateCaFile,
    // Generous, because tests assert answers and not the speed of a shared machine.
    CORE_TIMEOUT_MILLISECONDS: "20000",
  };
  return {
    url: core.url,
    environment,
    stop: async () => {
      await core.close();
      await settling.stop();
      await database.close();
    },
  };
}
