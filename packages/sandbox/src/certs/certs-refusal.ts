import { CommandRefusal } from "../terminal/command-refusal.ts";

/** A command fails because the command line, or what it names, is wrong. */
export class CertsRefusal extends CommandRefusal<"usage"> {
  constructor(message: string, hint?: string, options?: ErrorOptions) {
    super({ code: "usage", exitCode: 2 }, message, hint, options);
  }
}
