import { existsSync } from "node:fs";
import { findEmbeddedBinaries } from "../../packages/sandbox/src/postgres/find-embedded-binaries.ts";
import {
  installedBinaries,
  type PostgresBinaries,
} from "../../packages/sandbox/src/postgres/postgres-binaries.ts";
import { DEBIAN_POSTGRES_REQUIRED } from "./test-environment.ts";

/** A PostgreSQL to test on. */
export interface PostgresEngine {
  readonly name: string;
  binaries(): Promise<PostgresBinaries>;
}

/** The engine that `npm ci` installs; every test runs on it. */
export const EMBEDDED: PostgresEngine = {
  name: "the embedded PostgreSQL 18",
  binaries: findEmbeddedBinaries,
};

const DEBIAN_BIN = "/usr/lib/postgresql/15/bin";
const DEBIAN: PostgresEngine = {
  name: "Debian's PostgreSQL 15",
  binaries: () => Promise.resolve(installedBinaries(DEBIAN_BIN)),
};

/** The engine of this run. Two runs, one for each engine, test both ends of the supported range. */
export function engineOfThisRun(): PostgresEngine {
  if (!DEBIAN_POSTGRES_REQUIRED) return EMBEDDED;
  if (!existsSync(DEBIAN_BIN)) throw new Error(`${DEBIAN_BIN} is missing: install postgresql-15`);
  return DEBIAN;
}
