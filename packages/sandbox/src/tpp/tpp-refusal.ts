import { CommandRefusal, type RefusalOptions } from "../terminal/command-refusal.ts";

/**
 * Why a command of the TPP command line ends without what was asked:
 * - `usage`: the command line, or what it names, is not right
 * - `refused`: a server refused, such as a token that was revoked; the message holds its own words
 * - `no_sandbox`: the sandbox does not run, does not answer, or has no certificate that is good
 * - `unreadable`: what the command line has kept cannot be read, or nothing can be kept
 * - `not_authorized`: there is no consent: the PSU did not give it, or not in time, or was not asked, or no
 *   refresh token is left of it
 */
export type TppRefusalCode = "unreadable" | "usage" | "refused" | "no_sandbox" | "not_authorized";

/** Exit codes of the command line; 0 is success, 1 an error of its own. */
const EXIT_CODES: Readonly<Record<TppRefusalCode, number>> = {
  unreadable: 1,
  usage: 2,
  refused: 3,
  no_sandbox: 4,
  not_authorized: 5,
};

/** A command that ends without what was asked. */
export class TppRefusal extends CommandRefusal<TppRefusalCode> {
  constructor(code: TppRefusalCode, message: string, hint?: string, options?: RefusalOptions) {
    super({ code, exitCode: EXIT_CODES[code] }, message, hint, options);
  }
}
