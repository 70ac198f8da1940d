import type { JsonWebKey } from "node:crypto";
import { isJsonObject } from "@cobs/service-edge/json";
import type { CustomFetch } from "openid-client";
import { refusedByServer } from "./refused-by-server.ts";
import { TppRefusal } from "./tpp-refusal.ts";

/** What a TPP registers for an application (COBS PDF 1.4.1.1). */
export interface Registration {
  readonly applicationType: "web" | "native";
  readonly client_name: string;
  readonly redirect_uris: readonly string[];
  readonly scopes?: readonly string[];
  readonly token_endpoint_auth_method?: "private_key_jwt" | "tls_client_auth";
  readonly jwks?: { readonly keys: readonly JsonWebKey[] };
}

/** An application as the server describes it; it has the secret only when just registered. */
export interface RegisteredDocument {
  readonly client_id: string;
  readonly client_name: string;
  readonly redirect_uris: readonly string[];
  readonly scopes: readonly string[];
  readonly client_secret?: string;
}

/** Auth's registration resources, called with the certificate of `fetch`. */
export interface ApplicationsApi {
  register(registration: Registration): Promise<RegisteredDocument & { readonly client_secret: string }>;
  /** Registers an application that gets no secret. */
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
    if (!answer.ok) throw refusedByServer(answer.status, text);
    return text === "" ? undefined : JSON.parse(text);
  }
  return {
    register: async (registration) => requireSecret(await call("POST", base, registration)),
    registerWithoutSecret: async (registration) => requireRegistered(await call("POST", base, registration)),
    list: async () => requireList(await call("GET", base)),
    remove: async (clientId) => void (await call("DELETE", `${base}/${encodeURIComponent(clientId)}`)),
  };
}

function requireSecret(value: unknown): RegisteredDocument & { readonly client_secret: string } {
  if (isRegistered(value) && typeof value.client_secret === "string") {
    return { ...value, client_secret: value.client_secret };
  }
  throw new TppRefusal("refused", "the answer to the registration has no client_id or no client_secret");
}

function requireRegistered(value: unknown): RegisteredDocument {
  if (isRegistered(value) && value.client_secret === undefined) return value;
  throw new TppRefusal("refused", "the answer to the registration has no client_id, or has a secret");
}

function requireList(value: unknown): readonly RegisteredDocument[] {
  if (Array.isArray(value) && value.every(isRegistered)) return value;
  throw new TppRefusal("refused", "the answer is not a list of applications");
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
