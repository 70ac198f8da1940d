import { DatabaseUnsuitable, isDatabaseUnavailable, NoDatabaseConnection } from "@cobs/service-edge/database";
import { SandboxRefusal } from "./sandbox-refusal.ts";
import type { ServiceName } from "./service-program.ts";

/** Error classes of PostgreSQL for an unknown role, a wrong password, or a missing database. */
const UNKNOWN_TO_DATABASE = /^(28|3D)/;

/**
 * Refuses with `database_unavailable`, in the words of the database, if the person who configured it must act; throws every
 * other error as it is.
 */
export function refuseUnusableDatabase(name: ServiceName, error: unknown): never {
  if (!(error instanceof Error) || !isOfDatabase(error)) throw error;
  const message = `The database of ${name} cannot be used: ${error.message || codeOf(error)}`;
  throw new SandboxRefusal("database_unavailable", message, { cause: error });
}

function isOfDatabase(error: Error): boolean {
  const isUnsuitable = [DatabaseUnsuitable, NoDatabaseConnection].some((kind) => error instanceof kind);
  return isUnsuitable || isDatabaseUnavailable(error) || UNKNOWN_TO_DATABASE.test(codeOf(error));
}

function codeOf(error: Error): string {
  return "code" in error ? String(error.code) : "";
}
