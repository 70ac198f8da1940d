import { type Environment, findSet, type Variable } from "./variable.ts";

/** Variables that production must set but leaves at a sandbox default, each in a sentence; none outside production. */
export function doubtSandboxDefaults(
  variables: readonly Variable[],
  environment: Environment,
): readonly string[] {
  const valueIn = ({ name, default: otherwise }: Variable) => findSet(environment, name) ?? otherwise;
  const mode = variables.find(({ name }) => name === "MODE");
  if (mode === undefined || valueIn(mode) !== "production") return [];
  return variables
    .filter(
      (variable) => mustBeSet(variable, environment) && findSet(environment, variable.name) === undefined,
    )
    .map(
      ({ name, default: ofSandbox = "leaving it out" }) =>
        `${name} is not set: ${ofSandbox} is only for a sandbox`,
    );
}

function mustBeSet({ setInProduction = false, unlessSet }: Variable, environment: Environment): boolean {
  return setInProduction && (unlessSet === undefined || findSet(environment, unlessSet[0]) !== unlessSet[1]);
}
