import { CommandRefusal, type RefusalOptions } from "../terminal/command-refusal.ts";

/**
 * Why a command of the TPP command line failed:
 * - `usage`: the command line, or what it names, is wrong
 * - `refused`: a server refused, for example a revoked token; the message holds its own words
 * - `no_sandbox`: the sandbox does not run, does not answer, or has no valid certificate
 * - `unreadable`: what the command line has kept cannot be read, or nothing can be kept
 * - `not_authorized`: there is no consent: the PSU did not give it, not in time, or was not asked, or its refresh token is
 *   gone
 * - `interrupted`: somebody stopped it
 */
export type TppRefusalCode =
  | "unreadable"
  | "usage"
  | "refused"
  | "no_sandbox"
  | "not_authorized"
  | "interrupted";

/** Exit code of a command that was interrupted, as shells give it to one that ends for SIGINT. */
export const INTERRUPTED = 130;

/** Exit codes of the command line; 0 is success, 1 an unexpected error. */
const EXIT_CODES: Readonly<Record<TppRefusalCode, number>> = {
  unreadable: 1,
  usage: 2,
  refused: 3,
  no_sandbox: 4,
  not_authorized: 5,
  interrupted: INTERRUPTED,
};

/** A command failed. */
export class TppRefusal extends CommandRefusal<TppRefusalCode> {
  constructor(code: TppRefusalCode, message: string, hint?: string, options?: RefusalOptions) {
    super({ code, exitCode: EXIT_CODES[code] }, message, hint, options);
  }
}
