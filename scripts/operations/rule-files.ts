import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";

/** A rule as Prometheus reads it: a recorded series, or an alert. */
export interface PrometheusRule {
  readonly record?: string;
  readonly alert?: string;
  readonly expr: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: { readonly summary: string; readonly runbook: string };
}

/** Reads the rules of one of the files beside this one. */
export function readRules(file: "alert-rules.yml" | "recording-rules.yml"): readonly PrometheusRule[] {
  const text = readFileSync(join(import.meta.dirname, file), "utf8");
  const { groups }: { readonly groups: readonly { readonly rules: readonly PrometheusRule[] }[] } =
    parse(text);
  return groups.flatMap(({ rules }) => rules);
}
