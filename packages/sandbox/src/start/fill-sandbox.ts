import { readFile } from "node:fs/promises";
import { createLog } from "@cobs/service-edge/database";
import { DEMO_SEED, type DemoBank, makeDemoBank } from "../bank/demo-bank.ts";
import type { ReadyApplication, SandboxFacts } from "../sandbox-folder/sandbox-document.ts";
import type { SandboxLayout } from "../sandbox-folder/sandbox-layout.ts";
import { openUsedSteps, usedStepsFile } from "../tpp/used-steps-file.ts";
import type { SandboxDatabases } from "./databases.ts";
import { lengthenTokens } from "./lengthen-tokens.ts";
import { keepPsuCredentials } from "./psu-credentials.ts";
import { keepReadyApplication } from "./ready-application.ts";
import { type DocumentedPeople, documentPeople } from "./sandbox-facts.ts";
import { seedSandbox } from "./seed-sandbox.ts";
import { appendToLog } from "./service-log.ts";

/** Which sandbox to fill, and whom to tell. */
export interface FillingPlace {
  readonly layout: SandboxLayout;
  readonly databases: SandboxDatabases;
  readonly say: (line: string) => void;
}

/** Content of a sandbox: its PSUs, and then an application that works at once. */
export interface Filling {
  readonly people: DocumentedPeople;
  /** Loads the PSUs into the databases, once these exist. */
  seed(): Promise<void>;
  /**
   * Gives the ready application, if there is one; call it once the services are ready. Waits for `seeded`. Refuses with
   * `ready_application`.
   */
  keepReadyApplication(facts: SandboxFacts, seeded: Promise<void>): Promise<ReadyApplication | null>;
}

/** Prepares everything that needs neither database nor service. */
export async function prepareFilling({ layout, databases, say }: FillingPlace): Promise<Filling> {
  const log = createLog("sandbox", "info", appendToLog(layout.logs.sandbox));
  const bank = makeDemoBank({ seed: DEMO_SEED, asOf: new Date() });
  const people = await peopleOf(bank, layout);
  const sealingKey = await readFile(layout.sealingKey, "utf8");
  const usedSteps = openUsedSteps(usedStepsFile(layout.directory));
  return {
    people,
    seed: async () => {
      await seedSandbox({ databases, people, bank, sealingKey, log });
      say(`the demo bank has ${bank.psus.length} PSUs`);
    },
    keepReadyApplication: (facts, seeded) =>
      keepReadyApplication(facts, {
        file: layout.readyApplication,
        usedSteps,
        seeded,
        lengthenTokens: (clientId) => lengthenTokens({ databases, log }, clientId),
        say,
      }),
  };
}

async function peopleOf(bank: DemoBank, layout: SandboxLayout): Promise<DocumentedPeople> {
  const usernames = bank.psus.map(({ username }) => username);
  return documentPeople(bank, await keepPsuCredentials(layout.psuCredentials, usernames));
}
