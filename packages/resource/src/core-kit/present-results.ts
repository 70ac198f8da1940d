import type { KitCheck } from "./kit-check.ts";
import type { KitResult } from "./run-kit.ts";

const SIGNS: Readonly<Record<KitResult["outcome"], string>> = {
  passed: "passed   ",
  failed: "FAILED   ",
  "not shown": "not shown",
};

/** Writes each result as a row of one table, for people. */
export function openTable(checks: readonly Pick<KitCheck, "title">[]): (result: KitResult) => string {
  const width = Math.max(...checks.map(({ title }) => title.length));
  return ({ clause, title, outcome, seen }) =>
    `${SIGNS[outcome]}  ${clause.padEnd(3)}  ${title.padEnd(width)}  ${seen}\n`;
}

/** Summarises all results. */
export function presentSum(results: readonly KitResult[]): string {
  const count = (wanted: KitResult["outcome"]) => results.filter(({ outcome }) => outcome === wanted).length;
  const sum = `${count("passed")} passed, ${count("failed")} failed, ${count("not shown")} not shown`;
  return `\n${sum}. The clauses are in packages/resource/core-contract/README.md.\n`;
}
