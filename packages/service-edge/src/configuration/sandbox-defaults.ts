import { type Environment, findSet, type Variable } from "./variable.ts";

/** What production has to set and leaves to the default of a sandbox, each in a sentence; nothing outside production. */
export function doubtSandboxDefaults(
  variables: readonly Variable[],
  environment: Environment,
): readonly string[] {
  const valueIn = ({ name, default: otherwise }: Variable) => findSet(environment, name) ?? otherwise;
  const mode = variables.find(({ name }) => name === "MODE");
  if (mode === undefined || valueIn(mode) !== "production") return [];
  return variables
    .filter(({ name, setInProduction }) => setInProduction && findSet(environment, name) === undefined)
    .map(
      ({ name, default: ofSandbox = "to have none" }) => `${name} is not set: ${ofSandbox} is for a sandbox`,
    );
}
