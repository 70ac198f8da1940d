import type { KitResult } from "./run-kit.ts";

const SIGNS: Readonly<Record<KitResult["outcome"], string>> = {
  passed: "passed   ",
  failed: "FAILED   ",
  "not shown": "not shown",
};

/** Writes the results as a table for people, and what they come to. */
export function presentResults(results: readonly KitResult[]): string {
  const width = Math.max(...results.map(({ title }) => title.length));
  const rows = results.map(
    ({ clause, title, outcome, seen }) =>
      `${SIGNS[outcome]}  ${clause.padEnd(3)}  ${title.padEnd(width)}  ${seen}`,
  );
  const count = (wanted: KitResult["outcome"]) => results.filter(({ outcome }) => outcome === wanted).length;
  const sum = `${count("passed")} passed, ${count("failed")} failed, ${count("not shown")} not shown`;
  return ["", ...rows, "", `${sum}. The clauses are in packages/resource/core-contract/README.md.`, ""].join(
    "\n",
  );
}
