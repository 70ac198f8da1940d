/** A wrong command line, for programs: people have been told by the parser of the words itself. */
export interface WrongUsage {
  readonly error: "usage";
  readonly message: string;
  readonly hint: string;
}

/** Of what Commander throws. Where no command was named, that is its whole help. */
export function describeWrongUsage(thrown: { readonly code: string; readonly message: string }): WrongUsage {
  const { code, message } = thrown;
  const told = code === "commander.help" ? "no command was named" : message.replace(/^error: /, "");
  return { error: "usage", message: told, hint: "See --help." };
}
