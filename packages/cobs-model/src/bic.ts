import type { Brand } from "./brand.ts";

/** A business identifier code (ISO 9362) of 8 or 11 characters; it need not be registered. */
export type Bic = Brand<"Bic">;

const BIC = /^[A-Z]{6}[A-Z2-9][A-NP-Z0-9](?:[A-Z0-9]{3})?$/;

/** Reads a BIC (COBS BICIdentifier, 4.10.1.1); undefined if it is malformed. */
export function findBic(value: unknown): Bic | undefined {
  return typeof value === "string" && BIC.test(value) ? (value as Bic) : undefined;
}
