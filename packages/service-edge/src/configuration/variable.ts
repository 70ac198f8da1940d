/**
 * Environment variables as a table. Each service lists its variables once, in this form; the README's configuration tables are
 * generated from the same lists, so they cannot diverge.
 */
export interface Variable {
  readonly name: string;
  readonly meaning: string;
  /** Text used when the variable is absent; without it the variable is required. */
  readonly default?: string;
  /** Least and greatest values of a whole number. */
  readonly bounds?: readonly [least: number, most: number];
  /** True when the variable may be absent and has no default. */
  readonly optional?: boolean;
  /** True when its default, or its absence, suits only a sandbox, so that production must set it. */
  readonly setInProduction?: boolean;
  /** Another variable and its value with which production need not set this one. */
  readonly unlessSet?: readonly [name: string, value: string];
  /** True when the value itself must never be printed. */
  readonly secret?: boolean;
}

/** The environment variables of the process, which `main.ts` passes on. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Finds the value of a variable; an empty one counts as unset. */
export function findSet(environment: Environment, name: string): string | undefined {
  return environment[name] || undefined;
}

/** The configuration cannot be used; `faults` names every variable at fault and why. */
export class ConfigurationRefusal extends Error {
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(
      `the configuration has ${faults.length} fault(s):\n${faults.map((fault) => `  - ${fault}`).join("\n")}`,
    );
    this.name = "ConfigurationRefusal";
    this.faults = faults;
  }
}
