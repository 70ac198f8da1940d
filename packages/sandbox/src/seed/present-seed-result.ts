import type { SeedResult } from "./seed-mass.ts";

/** What a person reads at the end. */
export function presentSeedResult(result: SeedResult, milliseconds: number): string {
  const { isNew, name, largest } = result;
  if (!isNew) return `${name} is there already; another --seed makes another one.`;
  const rate = Math.round((result.transactions / milliseconds) * 1000);
  return [
    `${grouped(result.transactions)} transactions on ${grouped(result.accounts)} accounts`,
    `in ${(milliseconds / 1000).toFixed(1)} s, ${grouped(rate)}/s.`,
    `The largest account, ${largest?.id} of ${result.psu}, has ${grouped(largest?.transactions ?? 0)}.`,
  ].join(" ");
}

function grouped(count: number): string {
  return count.toLocaleString("en-US");
}
