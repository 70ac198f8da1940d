import { isSigningName } from "./parse-signing-terms.ts";
import { SigningRefusal } from "./signing-refusal.ts";
import type { NamedSigning } from "./signing-store.ts";

/** Most attempts that one request may name. */
export const MOST_NAMED_SIGNINGS = 100;

/** Reads 1 to 100 attempts from `{ signings: [{ paymentId, signId }] }`. Refuses with `request_malformed`. */
export function parseNamedSignings(body: unknown): readonly NamedSigning[] {
  const given: Readonly<Record<string, unknown>> = typeof body === "object" ? { ...body } : {};
  const signings: readonly unknown[] = Array.isArray(given.signings) ? given.signings : [];
  const named = signings.map(readNamed).filter((each) => each !== undefined);
  const isWhole = named.length === signings.length && Object.keys(given).length === 1;
  if (isWhole && named.length > 0 && named.length <= MOST_NAMED_SIGNINGS) return named;
  const message = `signings must be a list of 1 to ${MOST_NAMED_SIGNINGS} objects, each with paymentId and signId`;
  throw new SigningRefusal("request_malformed", message);
}

function readNamed(value: unknown): NamedSigning | undefined {
  const { paymentId, signId, ...more }: Readonly<Record<string, unknown>> =
    typeof value === "object" ? { ...value } : {};
  if (!isSigningName(paymentId) || !isSigningName(signId) || Object.keys(more).length > 0) return undefined;
  return { paymentId, signId };
}
