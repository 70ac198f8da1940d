import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { KeyPairFiles } from "@cobs/service-edge";
import { type SandboxCertificates, writeSandboxCertificates } from "../certificates/sandbox-certificates.ts";
import { copyWhole, writeWhole } from "../files/write-whole.ts";
import { writeProxyFiles } from "../proxy/write-proxy-files.ts";
import { keepSealingKey } from "../start/sandbox-secrets.ts";
import type { ServiceName } from "../start/service-program.ts";
import { type ComposeDatabases, planComposeDatabases } from "./compose-databases.ts";
import type { ComposeLayout } from "./compose-layout.ts";

const OWNER_ONLY = 0o600;

/**
 * Writes everything that the containers of `docker-compose.yml` read: the sandbox's keys and certificates, passwords, URLs.
 * Existing files stay, so it may run before each start.
 */
export async function writeComposeFiles(layout: ComposeLayout): Promise<void> {
  await mkdir(layout.kept.directory, { recursive: true, mode: 0o700 });
  const certificates = await writeSandboxCertificates(layout.kept.certificates, new Date());
  await keepSealingKey(layout.kept);
  const databases = await planComposeDatabases(layout);
  await Promise.all([
    writeServiceFiles("auth", layout, { certificates, databases }),
    writeServiceFiles("resource", layout, { certificates, databases }),
    writeProxyFolder(layout, certificates),
    writeSecret(layout.postgres, "password", databases.superuserPassword),
    writeSecret(layout.redis, "redis.conf", redisConfiguration(databases)),
  ]);
  await copyWhole(layout.kept.sealingKey, join(layout.auth, "sealing-key"));
  await writeSecret(layout.auth, "redis-url", databases.redisUrl);
}

interface Sources {
  readonly certificates: SandboxCertificates;
  readonly databases: ComposeDatabases;
}

async function writeServiceFiles(
  service: ServiceName,
  layout: ComposeLayout,
  { certificates, databases }: Sources,
): Promise<void> {
  const folder = layout[service];
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const { server, bank } = certificates;
  await copyPair(server[service], join(folder, "server"));
  await copyPair({ auth: server.authBank, resource: server.resourceBank }[service], join(folder, "bank"));
  await copyPair(bank[service], join(folder, "bank-client"));
  await copyWhole(certificates.privateCaFile, join(folder, "private-ca.pem"));
  await copyWhole(certificates.anchorsFile, join(folder, "anchors.json"));
  await writeSecret(folder, "database-url", databases.urls[service].reveal());
}

async function writeProxyFolder({ proxy }: ComposeLayout, certificates: SandboxCertificates): Promise<void> {
  await writeProxyFiles(proxy, certificates);
  await copyWhole(certificates.caFile, join(proxy, "ca.pem"));
}

async function copyPair({ certificateFile, keyFile }: KeyPairFiles, target: string): Promise<void> {
  await copyWhole(certificateFile, `${target}.pem`);
  await copyWhole(keyFile, `${target}.key`);
}

async function writeSecret(folder: string, name: string, content: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writeWhole(join(folder, name), content, OWNER_ONLY);
}

/** Redis evicts nothing and loses at most one second: its content must not get lost. */
function redisConfiguration({ redisPassword }: ComposeDatabases): string {
  return [
    `requirepass ${redisPassword}`,
    "appendonly yes",
    "appendfsync everysec",
    "maxmemory-policy noeviction",
    "dir /run/data",
    "",
  ].join("\n");
}
