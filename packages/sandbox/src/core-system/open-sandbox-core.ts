import { readFile } from "node:fs/promises";
import { openSandboxBank, startSettlingOrders } from "@cobs/resource/sandbox";
import { type Log, openDatabase, type Secret } from "@cobs/service-edge";
import { keyPairFiles } from "../certificates/key-pair-files.ts";
import { trustFiles } from "../certificates/test-ca-files.ts";
import { type OpenCoreSystem, openCoreSystem } from "./open-core-system.ts";

/** The database and certificates of a sandbox's bank, and where to serve it. */
export interface SandboxCorePlace {
  readonly databaseUrl: Secret;
  /** The sandbox's folder of certificates. */
  readonly certificates: string;
  /** 0 takes a free port. */
  readonly port: number;
  readonly log: Log;
}

const MAX_CONNECTIONS = 8;

/** Opens a core system over the bank of a sandbox; its database may be migrated and filled later. */
export async function openSandboxCore(place: SandboxCorePlace): Promise<OpenCoreSystem> {
  const { databaseUrl: url, certificates, port, log } = place;
  const authority = await readFile(trustFiles(certificates).privateCaFile, "utf8");
  const keyPair = keyPairFiles(certificates, "server/resource-bank");
  const applicationName = "core-system";
  const database = openDatabase({ url, maxConnections: MAX_CONNECTIONS, applicationName, log });
  const core = await openCoreSystem(openSandboxBank(database), { port, keyPair, authority, log });
  const settling = startSettlingOrders({ database, log });
  return {
    url: core.url,
    close: async () => {
      await core.close();
      await settling.stop();
      await database.close();
    },
  };
}
