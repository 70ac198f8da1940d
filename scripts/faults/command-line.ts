import { createCommand, WrongUsage } from "../../packages/sandbox/src/terminal/read-command-line.ts";

interface FaultOptions {
  readonly list?: boolean;
  readonly only?: readonly string[];
  readonly quick?: boolean;
  readonly json?: boolean;
  readonly write?: boolean;
  readonly pgbouncer?: string;
}

/** The command line of `npm run faults`. */
export const FAULTS_COMMAND = createCommand(
  "npm run faults",
  "Breaks what the services depend on, one thing after the other under load, and prints how they coped.",
)
  .option("--list", "list the cases, and exit")
  .option("--only <beginning...>", "cases whose names begin with this, such as redis/; default: all")
  .option("--quick", "a sample that takes a minute")
  .option("--pgbouncer <file>", "path of a PgBouncer, 1.21 or newer, to test behind it too")
  .option("--json", "print an array of {name, held, detail}, and nothing else, on standard output")
  .option("--write", "write the results to test/results/faults.md; those of other cases stay")
  .addHelpText("after", "\nExit codes: 0 every case held, 1 one did not, 2 wrong usage, 130 interrupted.");

/** Reads the options: the plan, and the names of its wanted cases, at least one. */
export async function readFaultsOptions(given: FaultOptions) {
  const { only = [""], quick: isSample = false } = given;
  const { planFaults } = await import("./plan.ts");
  const planned = planFaults(given);
  const isWanted = (name: string) => only.some((beginning) => name.startsWith(beginning));
  const names = planned
    .flatMap(({ cases }) => cases)
    .filter(({ name, quick }) => isWanted(name) && (quick || !isSample))
    .map(({ name }) => name);
  if (names.length === 0) {
    const sample = isSample ? " of the sample" : "";
    throw new WrongUsage(
      `no case${sample} has a name that begins with ${only.join(" or ")}; --list prints the names`,
    );
  }
  return { options: { ...given, quick: isSample }, groups: planned, wanted: names };
}
