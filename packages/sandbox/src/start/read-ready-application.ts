import { readKeptJson } from "../files/read-kept-json.ts";
import type { ReadyApplication } from "../sandbox-folder/sandbox-document.ts";

/** The ready application of an earlier start; undefined if it cannot be read. */
export async function readReadyApplication(file: string): Promise<ReadyApplication | undefined> {
  const kept = await readKeptJson(file);
  return isReadyApplication(kept) ? kept : undefined;
}

// Only the sandbox writes the file, and an application that does not work is made again. Files of an earlier release have no
// token for both scopes.
function isReadyApplication(value: unknown): value is ReadyApplication {
  if (typeof value !== "object" || value === null || !("clientId" in value && "tokens" in value))
    return false;
  return typeof value.tokens === "object" && value.tokens !== null && "both" in value.tokens;
}
