import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { parse } from "yaml";

/** The top of the repository. */
export const ROOT = resolve(import.meta.dirname, "../../..");

/** A container of `docker-compose.yml`, as far as tests look. */
export interface ComposeService {
  readonly image: string;
  readonly user?: string;
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly healthcheck?: object;
  readonly restart?: string;
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly volumes?: readonly string[];
  readonly ports?: readonly string[];
  readonly stop_grace_period?: string;
}

/** Reads `docker-compose.yml` with its merges done. */
export function readComposeFile(): Readonly<Record<string, ComposeService>> {
  const text = readFileSync(resolve(ROOT, "docker-compose.yml"), "utf8");
  const { services }: { services: Readonly<Record<string, ComposeService>> } = parse(text, { merge: true });
  return services;
}
