import type { Variable } from "./variable.ts";

/** Presents a list of variables as the rows of a README table, in Markdown. */
export function presentVariables(variables: readonly Variable[]): string {
  const rows = variables.map(
    (variable) =>
      `| \`${variable.name}\` | ${variable.meaning} | ${presentDefault(variable)}${presentBounds(variable)}${presentDuty(variable)} | ${variable.secret ? "yes" : ""} |`,
  );
  return ["| variable | meaning | default | secret |", "| --- | --- | --- | --- |", ...rows].join("\n");
}

function presentDefault(variable: Variable): string {
  if (variable.default !== undefined) return `\`${variable.default}\``;
  return variable.optional ? "none" : "required";
}

function presentDuty({ setInProduction, unlessSet }: Variable): string {
  if (!setInProduction) return "";
  return `; production sets it${unlessSet ? `, except with \`${unlessSet.join("=")}\`` : ""}`;
}

function presentBounds({ bounds }: Variable): string {
  if (bounds === undefined) return "";
  const [least, most] = bounds.map((bound) => bound.toLocaleString("en"));
  return ` (${least} to ${most})`;
}
