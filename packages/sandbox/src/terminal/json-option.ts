import { Option } from "commander";

export const JSON_FLAG = "--json";

/** The option of every command with which a program reads what it gives, or why it gives nothing. */
export function jsonOption(): Option {
  const meaning = "print the result as JSON, and nothing else, on standard output;";
  return new Option(JSON_FLAG, `${meaning} an error too, as {error, message, hint}`);
}
