import { mkdirSync } from "node:fs";
import { sandboxLayout } from "../../packages/sandbox/src/sandbox-folder/sandbox-layout.ts";
import type { SandboxPorts } from "../../packages/sandbox/src/start/env.ts";
import { keepSealingKey } from "../../packages/sandbox/src/start/sandbox-secrets.ts";
import {
  authEnvironment,
  resourceEnvironment,
} from "../../packages/sandbox/src/start/service-environment.ts";
import { testCertificates } from "./test-certificates.ts";

/** A complete environment of each service except for its database: the test sets `DATABASE_URL`. Ports are any free ones. */
export interface ServiceEnvironments {
  readonly auth: Readonly<Record<string, string>>;
  readonly resource: Readonly<Record<string, string>>;
}

/** Any ports that are free. */
export const ANY_PORTS: SandboxPorts = {
  authBrowser: 0,
  authMutualTls: 0,
  authBank: 0,
  authOperator: 0,
  resourceMutualTls: 0,
  resourceBank: 0,
  resourceOperator: 0,
  callback: 0,
  revocation: 0,
  postgres: 0,
};

/** Makes both environments, with the files that they need below `directory`. */
export async function makeServiceEnvironments(directory: string): Promise<ServiceEnvironments> {
  mkdirSync(directory, { recursive: true });
  const layout = sandboxLayout(directory);
  await keepSealingKey(layout);
  const surroundings = { layout, ports: ANY_PORTS, certificates: await testCertificates() };
  const { DATABASE_URL_FILE: _ofAuth, REDIS_URL_FILE: _redis, ...auth } = authEnvironment(surroundings);
  const { DATABASE_URL_FILE: _ofResource, ...resource } = resourceEnvironment(surroundings);
  // The second reader's thread takes a second of processor time at each start; a sandbox has it.
  return { auth: { ...auth, SECOND_READER: "off" }, resource };
}
