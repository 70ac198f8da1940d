import { findNumberText, keepNumber } from "@cobs/cobs-model";
import { isJsonObject, type JsonObject, parseStrictJson } from "@cobs/service-edge/json";
import { TppRefusal } from "./tpp-refusal.ts";

/**
 * Makes the refusal `refused` in the server's own words: OAuth's flat error, COBS's list, or the text itself. It also holds
 * the list unchanged, for programs, and the hint.
 */
export function refusedByServer(
  status: number,
  text: string,
  { hint, ...options }: ErrorOptions & { readonly hint?: string | undefined } = {},
): TppRefusal {
  const body = parseObject(text);
  const errors = Array.isArray(body?.errors) ? body.errors : undefined;
  const words = body === undefined ? text.slice(0, 300) : (errors ?? [body]).map(wordsOf).join("; ");
  const message = `the server answered ${status}${words === "" ? "" : `: ${words}`}`;
  return new TppRefusal("refused", message, hint, { ...options, ...(errors && { errors }) });
}

function wordsOf(error: unknown): string {
  if (!isJsonObject(error)) return String(error);
  const { error: code, error_description, message, scope, parameters } = error;
  const words = [code, error_description ?? message].filter((part) => typeof part === "string").join(", ");
  return `${words}${typeof scope === "string" ? ` (${scope})` : ""}${wordsOfParameters(parameters)}`;
}

/** Text of an error's parameters: only they say what would have been right, or when to retry (COBS PDF 1.2.10.1). */
function wordsOfParameters(parameters: unknown): string {
  if (!isJsonObject(parameters)) return "";
  const each = Object.entries(parameters).map(([name, value]) => `${name}: ${wordOf(value)}`);
  return each.length === 0 ? "" : ` [${each.join("; ")}]`;
}

function wordOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(wordOf).join(", ");
  return findNumberText(value) ?? (typeof value === "string" ? value : JSON.stringify(value));
}

function parseObject(text: string): JsonObject | undefined {
  try {
    const body = parseStrictJson(text, keepNumber);
    return isJsonObject(body) ? body : undefined;
  } catch {
    return undefined;
  }
}
