import { RevocationUnavailable } from "@cobs/psd2-certificates";
import { isDatabaseUnavailable, PrivateServiceUnavailable } from "@cobs/service-edge";
import { CoreUnavailable } from "../bank/core-unavailable.ts";
import { EndingsRefusal } from "../endings/endings-refusal.ts";
import { IntrospectionRefusal } from "../introspection/introspection-refusal.ts";
import { SigningRefusal } from "../signing/signing-refusal.ts";

/**
 * Whether nothing could be decided: auth, the database, or those who know of revoked certificates cannot be asked now,
 * or auth or the core system gives no answer that can be believed. The caller may try again later (503).
 */
export function isTemporary(error: unknown): boolean {
  return (
    error instanceof PrivateServiceUnavailable ||
    error instanceof IntrospectionRefusal ||
    error instanceof EndingsRefusal ||
    error instanceof SigningRefusal ||
    error instanceof RevocationUnavailable ||
    error instanceof CoreUnavailable ||
    isDatabaseUnavailable(error)
  );
}
