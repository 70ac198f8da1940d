import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { inTurn } from "../files/in-turn.ts";
import { readKeptJson } from "../files/read-kept-json.ts";
import { writeWhole } from "../files/write-whole.ts";
import type { UsedSteps } from "./one-time-codes.ts";

/** The file of a sandbox's used steps. */
export function usedStepsFile(directory: string): string {
  return join(directory, "tpp", "used-steps.json");
}

/** Keeps used steps in a file, so that each command knows what earlier ones used. */
export function openUsedSteps(file: string): UsedSteps {
  async function read(): Promise<Map<string, number>> {
    const value = await readKeptJson(file);
    const entries: [string, unknown][] =
      typeof value === "object" && value !== null ? Object.entries(value) : [];
    return new Map(
      entries.flatMap(([username, step]) => (typeof step === "number" ? [[username, step]] : [])),
    );
  }
  const lastIn = (steps: ReadonlyMap<string, number>, username: string) => steps.get(username) ?? -1;
  return {
    last: async (username) => lastIn(await read(), username),
    take: async (username, choose) => {
      await mkdir(dirname(file), { recursive: true, mode: 0o700 });
      return inTurn(file, async () => {
        const steps = await read();
        const step = choose(lastIn(steps, username));
        await writeWhole(file, JSON.stringify(Object.fromEntries(steps.set(username, step))), 0o600);
        return step;
      });
    },
  };
}
