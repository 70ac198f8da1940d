import { join } from "node:path";
import { Secret } from "@cobs/service-edge/configuration";
import type { SandboxDatabases } from "../start/databases.ts";
import { keepDatabasePasswords, keepFile, randomText } from "../start/sandbox-secrets.ts";
import type { ServiceName } from "../start/service-program.ts";
import type { ComposeLayout } from "./compose-layout.ts";

/** The database server of `docker-compose.yml`, as its containers see it. */
export interface ComposeDatabases extends SandboxDatabases {
  readonly superuserPassword: string;
  superuserUrl(): string;
  readonly redisPassword: string;
  readonly redisUrl: string;
}

const POSTGRES = "postgres:5432";
const REDIS = "redis:6379";

/** Creates the passwords on first use, and gives the URLs. */
export async function planComposeDatabases({ kept }: ComposeLayout): Promise<ComposeDatabases> {
  const passwords = await keepDatabasePasswords(kept);
  const superuserPassword = await keepFile(join(kept.secrets, "postgres-password"), randomText);
  const redisPassword = await keepFile(join(kept.secrets, "redis-password"), randomText);
  const urlOf = (name: ServiceName) =>
    new Secret(`postgres://${name}:${passwords[name]}@${POSTGRES}/${name}`);
  return {
    urls: { auth: urlOf("auth"), resource: urlOf("resource") },
    embedded: [],
    passwords,
    superuserPassword,
    superuserUrl: () => `postgres://postgres:${superuserPassword}@${POSTGRES}/postgres`,
    redisPassword,
    redisUrl: `redis://:${redisPassword}@${REDIS}`,
  };
}
