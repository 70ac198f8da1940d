import { CommandRefusal } from "../terminal/command-refusal.ts";

/**
 * Why `npm run seed` brings nothing in:
 * - `usage`: the command line, or what it names, is not right
 * - `no_database`: there is no database, it does not answer, or it takes no writes
 * - `not_sandbox`: the database, or the environment, is not a sandbox's
 * - `interrupted`: somebody stopped it
 */
export type SeedRefusalCode = "usage" | "no_database" | "not_sandbox" | "interrupted";

/** Exit codes of the command; 0 is success, 1 a fault of its own. */
const EXIT_CODES: Readonly<Record<SeedRefusalCode, number>> = {
  usage: 2,
  not_sandbox: 3,
  no_database: 4,
  interrupted: 130,
};

/** A seeding that is not done; nothing of it is in the database, unless that went away in the moment of the last answer. */
export class SeedRefusal extends CommandRefusal<SeedRefusalCode> {
  constructor(code: SeedRefusalCode, message: string, options?: ErrorOptions) {
    super({ code, exitCode: EXIT_CODES[code] }, message, undefined, options);
  }
}
