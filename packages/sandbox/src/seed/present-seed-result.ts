import type { SeedResult } from "./seed-mass.ts";

/** Text of the result for people. */
export function presentSeedResult(result: SeedResult, milliseconds: number): string {
  const { isNew, seed, largest } = result;
  if (!isNew) return `The accounts of --seed ${seed} already exist; another --seed makes others.`;
  const rate = Math.round((result.transactions / milliseconds) * 1000);
  return [
    `${counted(result.transactions, "transaction")} on ${counted(result.accounts, "account")}`,
    `in ${(milliseconds / 1000).toFixed(1)} s, ${grouped(rate)}/s.`,
    `The largest account, ${largest?.id} of ${result.psu}, has ${grouped(largest?.transactions ?? 0)}.`,
  ].join(" ");
}

function counted(count: number, thing: string): string {
  return `${grouped(count)} ${count === 1 ? thing : `${thing}s`}`;
}

function grouped(count: number): string {
  return count.toLocaleString("en-US");
}
