import { join } from "node:path";
import { type SandboxLayout, sandboxLayout } from "../sandbox-folder/sandbox-layout.ts";
import type { SandboxPorts } from "../start/env.ts";

/** The volumes of `docker-compose.yml`, as folders below one; each container gets only its own. */
export interface ComposeLayout {
  /** Source of the others, including the keys of the test authorities: for the one-shots and the TPP command line. */
  readonly kept: SandboxLayout;
  readonly auth: string;
  readonly resource: string;
  readonly proxy: string;
  readonly postgres: string;
  readonly redis: string;
}

/** The layout below `directory`, an absolute path. */
export function composeLayout(directory: string): ComposeLayout {
  const folder = (name: string) => join(directory, name);
  return {
    kept: sandboxLayout(folder("kept")),
    auth: folder("auth"),
    resource: folder("resource"),
    proxy: folder("proxy"),
    postgres: folder("postgres"),
    redis: folder("redis"),
  };
}

/** Ports that `docker-compose.yml` opens on the machine; the API host has one port for both services. */
export const COMPOSE_PORTS: SandboxPorts = {
  authBrowser: 8443,
  authMutualTls: 8444,
  authBank: 8445,
  authOperator: 8446,
  resourceMutualTls: 8444,
  resourceBank: 9444,
  resourceOperator: 9446,
  callback: 7443,
  revocation: 8447,
  postgres: 5432,
};
