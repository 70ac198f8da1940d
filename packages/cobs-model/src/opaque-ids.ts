import type { Brand } from "./brand.ts";
import { type CobsErrorCode, ContentRefusal } from "./refusal.ts";

/** A payment account as the API names it: opaque, stable, 1 to 64 url-safe characters; never its number or IBAN. */
export type AccountId = Brand<"AccountId">;

/** A person at the bank (the provider's `accountId`, a token's `sub`): 1 to 64 url-safe characters. */
export type PsuId = Brand<"PsuId">;

/** A registered application (`client_id` on the wire): 1 to 64 url-safe characters. */
export type ApplicationId = Brand<"ApplicationId">;

const OPAQUE_ID = /^[A-Za-z0-9_-]{1,64}$/;

/** Reads an account id (COBS 3.1.3 `id`) or refuses with ID_NOT_FOUND at `path`. */
export function parseAccountId(value: unknown, path = "id"): AccountId {
  return requireOpaqueId(value, path, "ID_NOT_FOUND") as AccountId;
}

/** Reads the id of a PSU or refuses with FIELD_INVALID at `path`. */
export function parsePsuId(value: unknown, path = "psuId"): PsuId {
  return requireOpaqueId(value, path, "FIELD_INVALID") as PsuId;
}

/** Reads the id of an application or refuses with FIELD_INVALID at `path`; its owner is not yet known. */
export function parseApplicationId(value: unknown, path = "client_id"): ApplicationId {
  return requireOpaqueId(value, path, "FIELD_INVALID") as ApplicationId;
}

function requireOpaqueId(value: unknown, path: string, code: CobsErrorCode): string {
  if (typeof value === "string" && OPAQUE_ID.test(value)) return value;
  throw new ContentRefusal([{ code, path, message: `${path} is not an identifier` }]);
}
