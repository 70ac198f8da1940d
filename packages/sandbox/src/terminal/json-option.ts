import { Option } from "commander";

export const JSON_FLAG = "--json";

/** The `--json` option of every command: prints its result, or its error, for programs. */
export function jsonOption(): Option {
  const meaning = "print the result as JSON, and nothing else, on standard output;";
  return new Option(JSON_FLAG, `${meaning} an error too, as {error, message, hint}`);
}
