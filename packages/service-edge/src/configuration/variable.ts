/**
 * Environment variables as a table. Each service lists its variables once, with this shape; the README's
 * configuration tables are generated from the same lists, so that neither can go stale.
 */
export interface Variable {
  readonly name: string;
  readonly meaning: string;
  /** The text that is used when the variable is absent; without it the variable is required. */
  readonly default?: string;
  /** Of a whole number: the least and the most that it may be. */
  readonly bounds?: readonly [least: number, most: number];
  /** True when the variable may be absent and has no default. */
  readonly optional?: boolean;
  /** True when its default, or to have none, is for a sandbox, and production has to set it. */
  readonly setInProduction?: boolean;
  /** True when the value itself must never be printed. */
  readonly secret?: boolean;
}

/** The strings that `main.ts` takes from the process environment. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** What a variable is set to; an empty one is not set. */
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
