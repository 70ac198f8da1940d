import { CommandRefusal } from "../terminal/command-refusal.ts";

/**
 * Why `npm run seed` loads nothing, or `npm run core-system` finds no bank to serve:
 * - `usage`: the command line, or what it names, is wrong
 * - `no_database`: there is no database, it does not answer, or it takes no writes
 * - `not_sandbox`: the database, or the environment, is not a sandbox's
 * - `interrupted`: somebody stopped it
 */
export type SeedRefusalCode = "usage" | "no_database" | "not_sandbox" | "interrupted";

/** Exit codes of the command; 0 is success, 1 a bug. */
const EXIT_CODES: Readonly<Record<SeedRefusalCode, number>> = {
  usage: 2,
  not_sandbox: 3,
  no_database: 4,
  interrupted: 130,
};

/** Seeding failed. Nothing of it is in the database, unless the connection was lost at the very end. */
export class SeedRefusal extends CommandRefusal<SeedRefusalCode> {
  constructor(code: SeedRefusalCode, message: string, options?: ErrorOptions) {
    super({ code, exitCode: EXIT_CODES[code] }, message, undefined, options);
  }
}
