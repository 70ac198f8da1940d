import { RevocationUnavailable } from "@cobs/psd2-certificates";
import { isDatabaseUnavailable, PrivateServiceUnavailable } from "@cobs/service-edge";
import { IntrospectionRefusal } from "../introspection/introspection-refusal.ts";
import { StopListRefusal } from "../stop-list/stop-list.ts";

/**
 * Whether nothing could be decided: auth, the database, or those who know of revoked certificates cannot be asked now,
 * or auth gives no answer that can be believed. The caller may try again later (503).
 */
export function isTemporary(error: unknown): boolean {
  return (
    error instanceof PrivateServiceUnavailable ||
    error instanceof IntrospectionRefusal ||
    error instanceof StopListRefusal ||
    error instanceof RevocationUnavailable ||
    isDatabaseUnavailable(error)
  );
}
