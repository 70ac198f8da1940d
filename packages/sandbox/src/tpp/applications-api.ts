import type { JsonWebKey } from "node:crypto";
import { isJsonObject } from "@cobs/service-edge/json";
import type { CustomFetch } from "openid-client";
import { TppRefusal } from "./tpp-refusal.ts";

/** What a TPP says of an application (COBS PDF 1.4.1.1). */
export interface Registration {
  readonly applicationType: "web" | "native";
  readonly client_name: string;
  readonly redirect_uris: readonly string[];
  readonly scopes?: readonly string[];
  readonly token_endpoint_auth_method?: "private_key_jwt" | "tls_client_auth";
  readonly jwks?: { readonly keys: readonly JsonWebKey[] };
}

/** An application as the server tells it; the secret only when it was made. */
export interface RegisteredDocument {
  readonly client_id: string;
  readonly client_name: string;
  readonly redirect_uris: readonly string[];
  readonly scopes: readonly string[];
  readonly client_secret?: string;
}

/** The registration resources of auth, called with the certificate of `fetch`. */
export interface ApplicationsApi {
  register(registration: Registration): Promise<RegisteredDocument & { readonly client_secret: string }>;
  /** The same for an application that gets no secret. */
  registerWithoutSecret(registration: Registration): Promise<RegisteredDocument>;
  list(): Promise<readonly RegisteredDocument[]>;
  remove(clientId: string): Promise<void>;
}

/** Opens the registration resources; refuses with `refused`, in the server's words. */
export function openApplicationsApi(mutualTlsUrl: string, fetch: CustomFetch): ApplicationsApi {
  const base = `${mutualTlsUrl}/cobs/2.0/applications`;
  async function call(method: string, url: string, body?: unknown): Promise<unknown> {
    const headers = { accept: "application/json", "content-type": "application/json" };
    const sent = body === undefined ? undefined : JSON.stringify(body);
    const answer = await fetch(url, { method, headers, body: sent, redirect: "manual" });
    const text = await answer.text();
    if (!answer.ok) throw new TppRefusal("refused", describeError(answer.status, text));
    return text === "" ? undefined : JSON.parse(text);
  }
  return {
    register: async (registration) => requireSecret(await call("POST", base, registration)),
    registerWithoutSecret: async (registration) => requireRegistered(await call("POST", base, registration)),
    list: async () => requireList(await call("GET", base)),
    remove: async (clientId) => void (await call("DELETE", `${base}/${encodeURIComponent(clientId)}`)),
  };
}

/** The server's own words about a refusal: OAuth's flat error, COBS's list, or the text itself. */
export function describeError(status: number, text: string): string {
  const words = errorWords(text);
  return `the server answered ${status}${words === "" ? "" : `: ${words}`}`;
}

function errorWords(text: string): string {
  const body = parseOrText(text);
  if (typeof body !== "object" || body === null) return text.slice(0, 300);
  if ("errors" in body && Array.isArray(body.errors)) return body.errors.map(wordsOf).join("; ");
  return wordsOf(body);
}

function wordsOf(error: unknown): string {
  if (typeof error !== "object" || error === null) return String(error);
  const members = new Map<string, unknown>(Object.entries(error));
  const parts = [members.get("error"), members.get("error_description") ?? members.get("message")];
  const path = members.get("scope");
  const words = parts.filter((part) => typeof part === "string").join(", ");
  return typeof path === "string" ? `${words} (${path})` : words;
}

function parseOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function requireSecret(value: unknown): RegisteredDocument & { readonly client_secret: string } {
  if (isRegistered(value) && typeof value.client_secret === "string") {
    return { ...value, client_secret: value.client_secret };
  }
  throw new TppRefusal("refused", "the answer to the registration names no client_id and client_secret");
}

function requireRegistered(value: unknown): RegisteredDocument {
  if (isRegistered(value) && value.client_secret === undefined) return value;
  throw new TppRefusal("refused", "the answer to the registration names no client_id, or a secret");
}

function requireList(value: unknown): readonly RegisteredDocument[] {
  if (Array.isArray(value) && value.every(isRegistered)) return value;
  throw new TppRefusal("refused", "the list of applications is not an array of applications");
}

function isRegistered(value: unknown): value is RegisteredDocument {
  return (
    isJsonObject(value) &&
    "client_name" in value &&
    typeof value.client_id === "string" &&
    Array.isArray(value.redirect_uris) &&
    Array.isArray(value.scopes)
  );
}
