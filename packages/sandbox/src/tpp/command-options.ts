import { type Command, Option } from "commander";
import { jsonOption } from "../terminal/json-option.ts";
import { wholeNumber } from "../terminal/read-command-line.ts";

/** The application that acts. */
export function applicationOption(): Option {
  return new Option("--application <client_id>", "default: the one used last, or the sandbox's own");
}

/** The certificate, for commands that have no application yet. */
export function certificateOption(): Option {
  return new Option("--certificate <name>", "TPP certificate of the sandbox").default("aisp-pisp");
}

/** Another certificate, to see what a token is worth with it. */
export function otherCertificateOption(): Option {
  return new Option(
    "--certificate <name>",
    "use another certificate than the one that the token is bound to",
  );
}

/** Adds the options of commands that act with a kept token. */
export function withTokenOptions(command: Command): Command {
  return command.addOption(jsonOption()).addOption(applicationOption()).addOption(otherCertificateOption());
}

/** Adds the options for a page of a list: sorted by one of `fields`, in a language. */
export function withListOptions(command: Command, fields: string): Command {
  return command
    .option("--page <number>", "from 0")
    .option("--size <number>", "entries per page")
    .option("--sort <fields>", `${fields}; separated by commas`)
    .option("--order <directions>", "asc or desc for each field of --sort")
    .option("--language <tags>", "for Accept-Language, such as cs or en");
}

/** Longest timeout of Node.js, in whole seconds. */
const MAX_SECONDS = 2_147_483;

/** How long to wait for the browser, in whole seconds. */
export function timeoutOption(): Option {
  return new Option("--timeout <seconds>", "how long to wait for the browser")
    .default(300)
    .argParser(wholeNumber(1, MAX_SECONDS));
}
