import { writeSandboxCertificates } from "../certificates/sandbox-certificates.ts";
import { ensureDatabase } from "../postgres/ensure-database-postgres.ts";
import { writeSandboxDocument } from "../sandbox-folder/sandbox-document.ts";
import { prepareFilling } from "../start/fill-sandbox.ts";
import { gatherFacts } from "../start/sandbox-facts.ts";
import type { ServiceName } from "../start/service-program.ts";
import { planComposeDatabases } from "./compose-databases.ts";
import { COMPOSE_PORTS, type ComposeLayout } from "./compose-layout.ts";

type Say = (line: string) => void;

const NAMES: readonly ServiceName[] = ["auth", "resource"];

/** Creates the database and role of each service, and loads the demo bank; may be repeated. */
export async function seedCompose(layout: ComposeLayout, say: Say): Promise<void> {
  const databases = await planComposeDatabases(layout);
  const server = { superuserUrl: databases.superuserUrl, port: COMPOSE_PORTS.postgres };
  for (const name of NAMES)
    await ensureDatabase(server, { name, role: name, password: databases.passwords[name] });
  const filling = await prepareFilling({ layout: layout.kept, databases, say });
  await filling.seed();
}

/** Creates the ready application through the proxy, as a TPP and a PSU would, and writes what the TPP command line reads. */
export async function makeComposeReady(layout: ComposeLayout, say: Say): Promise<void> {
  const { kept } = layout;
  const databases = await planComposeDatabases(layout);
  const certificates = await writeSandboxCertificates(kept.certificates, new Date());
  const filling = await prepareFilling({ layout: kept, databases, say });
  const { directory } = kept;
  const facts = gatherFacts({
    directory,
    certificates,
    databases,
    core: "direct",
    ports: COMPOSE_PORTS,
    people: filling.people,
  });
  const readyApplication = await filling.keepReadyApplication(facts, Promise.resolve());
  const processes = { supervisor: 0, auth: 0, resource: 0, postgres: null };
  await writeSandboxDocument(kept.document, { ...facts, readyApplication, processes });
}
