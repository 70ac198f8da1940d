import { readFileSync } from "node:fs";

/** The environment of a running process of ours, for another of its kind that runs beside it on other ports. */
export function environmentBeside(pid: number): Readonly<Record<string, string>> {
  const entries = readFileSync(`/proc/${pid}/environ`, "utf8").split("\0");
  const pairs = entries.filter((entry) => entry !== "").map((entry) => entry.split(/=(.*)/s).slice(0, 2));
  return Object.fromEntries(pairs);
}
