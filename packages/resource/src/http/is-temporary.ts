import { isDatabaseUnavailable, PrivateServiceUnavailable } from "@cobs/service-edge";
import { IntrospectionRefusal } from "../introspection/introspection-refusal.ts";

/**
 * Whether nothing could be decided: auth or the database cannot be asked now, or auth gives no answer that can be
 * believed. The caller may try again later (503).
 */
export function isTemporary(error: unknown): boolean {
  return (
    error instanceof PrivateServiceUnavailable ||
    error instanceof IntrospectionRefusal ||
    isDatabaseUnavailable(error)
  );
}
