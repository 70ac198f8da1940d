import type { PrivateAnswer, PrivateClient } from "@cobs/service-edge";
import type { CustomFetch } from "openid-client";

/** Statuses of responses that have no body (Fetch standard). */
const WITHOUT_BODY: ReadonlySet<number> = new Set([101, 204, 205, 304]);
const SEEN_HEADERS = ["content-type", "www-authenticate", "cache-control"] as const;

/**
 * Makes the fetch with which the OpenID client asks the bank's provider. It uses the client of the bank's own services, which
 * bounds time and size, follows no redirect, and verifies whom it talks to. Rejects with `PrivateServiceUnavailable`.
 */
export function createUpstreamFetch(client: PrivateClient): CustomFetch {
  return async (url, { method, headers, body }) => {
    if (method === "GET") return responseOf(url, await client.get(url, headers));
    if (method === "POST" && body instanceof URLSearchParams)
      return responseOf(url, await client.postForm(url, body, headers));
    throw new TypeError(`the OpenID client may send only GET, or POST with a form, not ${method}`);
  };
}

function responseOf(url: string, { status, header, body }: PrivateAnswer): Response {
  const headers = new Headers();
  for (const name of SEEN_HEADERS) {
    const value = header(name);
    if (value !== undefined) headers.set(name, value);
  }
  const response = new Response(WITHOUT_BODY.has(status) ? null : body, { status, headers });
  // A response that was not fetched has no URL, by which an error says whether the token endpoint or the keys are meant.
  return Object.defineProperty(response, "url", { value: url });
}
