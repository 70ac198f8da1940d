import { readFile } from "node:fs/promises";
import { createSecureContext } from "node:tls";
import type { CustomFetch } from "openid-client";
import { Agent, fetch } from "undici";
import type { CertificatePaths } from "../sandbox-folder/sandbox-document.ts";

/** HTTP over TLS with a TPP's certificate, in the form that OAuth client libraries take. */
export interface TppFetch {
  readonly fetch: CustomFetch;
  close(): Promise<void>;
}

const LIMIT_MILLISECONDS = 10_000;
const NO_BODY_STATUSES: readonly number[] = [204, 205, 304];

/**
 * Opens connections that trust `ca` and show the certificate, or none if absent (like a browser). The limit applies to
 * connecting, to the start of an answer, and to each of its parts.
 */
export async function openTppFetch(
  ca: string,
  paths?: CertificatePaths,
  limitMilliseconds = LIMIT_MILLISECONDS,
): Promise<TppFetch> {
  const keyPair = paths && { cert: await readFile(paths.certificate), key: await readFile(paths.key) };
  const agent = new Agent({
    headersTimeout: limitMilliseconds,
    bodyTimeout: limitMilliseconds,
    connect: {
      secureContext: createSecureContext({ ca: await readFile(ca), ...keyPair }),
      timeout: limitMilliseconds,
    },
  });
  return { fetch: (url, options) => fetchWith(agent, url, options), close: () => agent.close() };
}

// Converts the answer to Node's own class; undici's has the same members but is another class.
async function fetchWith(agent: Agent, ...[url, options]: Parameters<CustomFetch>): Promise<Response> {
  const { method, headers, body, redirect, signal } = options;
  const sent = { method, headers, redirect, ...(signal && { signal }), ...(body != null && { body }) };
  const answer = await fetch(url, { ...sent, dispatcher: agent });
  const received = await answer.arrayBuffer();
  return new Response(NO_BODY_STATUSES.includes(answer.status) ? null : received, {
    status: answer.status,
    statusText: answer.statusText,
    headers: [...answer.headers],
  });
}
