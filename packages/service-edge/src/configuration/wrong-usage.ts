/** A wrong command line, described for programs; the command-line parser has already told people. */
export interface WrongUsage {
  readonly error: "usage";
  readonly message: string;
  readonly hint: string;
}

/** Describes an error that Commander throws. If no command was named, its message is the whole help. */
export function describeWrongUsage(thrown: { readonly code: string; readonly message: string }): WrongUsage {
  const { code, message } = thrown;
  const told = code === "commander.help" ? "no command was given" : message.replace(/^error: /, "");
  return { error: "usage", message: told, hint: "See --help." };
}
