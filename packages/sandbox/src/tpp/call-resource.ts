import { keepNumber } from "@cobs/cobs-model";
import { parseStrictJson } from "@cobs/service-edge/json";
import type { OAuthClient } from "./oauth-client.ts";
import { refusedByServer } from "./refused-by-server.ts";

/** With what the API is called. */
export interface ApiAccess {
  readonly client: OAuthClient;
  readonly token: string;
  readonly resourceBase: string;
}

/** A resource of the API, and what is asked of it. */
export interface ResourceCall {
  /** Below the base, e.g. `/my/accounts`. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | undefined>> | undefined;
  /** For `Accept-Language`. */
  readonly language?: string | undefined;
  /** Without it the resource is read. */
  readonly method?: "POST" | "PUT" | undefined;
  /** JSON as it is to be sent. */
  readonly body?: string | undefined;
}

/**
 * Calls a resource with a token, and gives the JSON that it answers, each number with all its digits; refuses with
 * `refused`, in the server's words.
 */
export async function callResource(access: ApiAccess, call: ResourceCall): Promise<unknown> {
  const { client, token, resourceBase } = access;
  const { path, query = {}, language, method, body } = call;
  const url = new URL(`${resourceBase}${path}`);
  for (const [name, value] of Object.entries(query))
    if (value !== undefined) url.searchParams.set(name, value);
  const headers = new Headers({ "content-type": "application/json" });
  if (language !== undefined) headers.set("accept-language", language);
  const answer = await client.call(token, url, { method, headers, body });
  const text = await answer.text();
  if (!answer.ok) throw refusedByServer(answer.status, text);
  return parseStrictJson(text, keepNumber);
}
