import { keepNumber } from "@cobs/cobs-model";
import { parseStrictJson } from "@cobs/service-edge/json";
import type { OAuthClient } from "./oauth-client.ts";
import { refusedByServer } from "./refused-by-server.ts";

/** What calling the API needs. */
export interface ApiAccess {
  readonly client: OAuthClient;
  readonly token: string;
  readonly resourceBase: string;
}

/** A resource of the API, and the request to it. */
export interface ResourceCall {
  /** Path below the base, e.g. `/my/accounts`. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | undefined>> | undefined;
  /** Sent as `Accept-Language`. */
  readonly language?: string | undefined;
  /** Without a method the resource is read (GET). */
  readonly method?: "POST" | "PUT" | undefined;
  /** JSON, sent as it is. */
  readonly body?: string | undefined;
}

/**
 * Calls a resource with a token. Gives the JSON of the answer, each number with all its digits; refuses with `refused`,
 * in the server's words.
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
