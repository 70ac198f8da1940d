import { type Command, Option } from "commander";
import { jsonOption } from "../terminal/json-option.ts";
import { wholeNumber } from "../terminal/read-command-line.ts";

/** Which application acts. */
export function applicationOption(): Option {
  return new Option("--application <client_id>", "default: the one used last, or the sandbox's own");
}

/** The certificate of a command that has no application yet. */
export function certificateOption(): Option {
  return new Option("--certificate <name>", "TPP certificate of the sandbox").default("aisp-pisp");
}

/** Lets see what a token is worth with another certificate. */
export function otherCertificateOption(): Option {
  return new Option(
    "--certificate <name>",
    "use another certificate than the one that the token is bound to",
  );
}

/** Adds what every command has that acts with a kept token. */
export function withTokenOptions(command: Command): Command {
  return command.addOption(jsonOption()).addOption(applicationOption()).addOption(otherCertificateOption());
}

/** Adds which page of a list is read, sorted by which of these fields, and in which language. */
export function withListOptions(command: Command, fields: string): Command {
  return command
    .option("--page <number>", "from 0")
    .option("--size <number>", "entries per page")
    .option("--sort <fields>", `${fields}; separated by commas`)
    .option("--order <directions>", "asc or desc for each field of --sort")
    .option("--language <tags>", "for Accept-Language, such as cs or en");
}

/** The longest that Node.js can wait, in whole seconds. */
const MAX_SECONDS = 2_147_483;

/** How long to wait for the browser: a whole number of seconds. */
export function timeoutOption(): Option {
  return new Option("--timeout <seconds>", "how long to wait for the browser")
    .default(300)
    .argParser(wholeNumber(1, MAX_SECONDS));
}
