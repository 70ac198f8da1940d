import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { parse } from "yaml";

/** Root of the repository. */
export const ROOT = resolve(import.meta.dirname, "../../..");

/** A container of `docker-compose.yml`, with the parts that tests examine. */
export interface ComposeService {
  readonly image: string;
  readonly user?: string;
  readonly read_only?: boolean;
  readonly init?: boolean;
  readonly cap_drop?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly healthcheck?: { readonly test: readonly string[] };
  readonly restart?: string;
  readonly logging?: { readonly driver: string; readonly options: Readonly<Record<string, string>> };
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly volumes?: readonly string[];
  readonly ports?: readonly string[];
  readonly stop_grace_period?: string;
  readonly profiles?: readonly string[];
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  /** By name, or with the container's address there. */
  readonly networks?: readonly string[] | Readonly<Record<string, { readonly ipv4_address?: string }>>;
}

/** A network of `docker-compose.yml`. */
export interface ComposeNetwork {
  readonly ipam?: { readonly config: readonly { readonly subnet: string; readonly ip_range: string }[] };
}

interface ComposeFile {
  readonly services: Readonly<Record<string, ComposeService>>;
  readonly networks: Readonly<Record<string, ComposeNetwork | null>>;
}

/** Reads the services of `docker-compose.yml`, with merges resolved. */
export function readComposeFile(): ComposeFile["services"] {
  return parseComposeFile().services;
}

/** Reads its networks. */
export function readComposeNetworks(): ComposeFile["networks"] {
  return parseComposeFile().networks;
}

function parseComposeFile(): ComposeFile {
  return parse(readFileSync(resolve(ROOT, "docker-compose.yml"), "utf8"), { merge: true });
}
