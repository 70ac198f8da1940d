import { readKeptJson } from "../files/read-kept-json.ts";
import type { ReadyApplication } from "../sandbox-folder/sandbox-document.ts";

/** The ready application of an earlier start; undefined where none can be read. */
export async function readReadyApplication(file: string): Promise<ReadyApplication | undefined> {
  const kept = await readKeptJson(file);
  return isReadyApplication(kept) ? kept : undefined;
}

// Only the sandbox writes it, and what does not work is made again; what an earlier release wrote has no token for both scopes.
function isReadyApplication(value: unknown): value is ReadyApplication {
  if (typeof value !== "object" || value === null || !("clientId" in value && "tokens" in value))
    return false;
  return typeof value.tokens === "object" && value.tokens !== null && "both" in value.tokens;
}
