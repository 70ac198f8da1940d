import type { IncomingCall } from "@cobs/service-edge";
import { findApplicationId } from "../applications/find-application-id.ts";
import type { ReadAddress } from "../limits/caller-address.ts";
import type { Counted } from "../limits/limit.ts";
import type { RateLimits } from "../limits/rate-limits.ts";

/** What counting the calls of a PSU's browser needs. */
export interface CountingParts {
  readonly limits: RateLimits;
  readonly addressOf: ReadAddress;
}

/**
 * Counts an authorization request before it is read, because anybody can send one and it stores something: per address,
 * and per application, or per pushed request that it begins with. So someone who sends many for another TPP's
 * application cannot keep out those that the application pushed. Refuses with `RateLimited`.
 */
export function countAuthorization({ limits, addressOf }: CountingParts, call: IncomingCall): Promise<void> {
  const address = addressOf(call);
  const ofAddress: Counted[] = address === undefined ? [] : [{ limit: "authorize_address", of: address }];
  return limits.count([...ofAddress, ...countedOf(call.query)]);
}

function countedOf(query: URLSearchParams): readonly Counted[] {
  // An empty value counts as missing (RFC 6749 3.1), as for the provider.
  const [pushed = ""] = query.getAll("request_uri");
  if (pushed !== "") return [{ limit: "authorize_pushed", of: pushed }];
  const id = findApplicationId(query.get("client_id"));
  return id === undefined ? [] : [{ limit: "authorize_application", of: id }];
}

/** Counts an attempt to sign in per address, whatever the username. Refuses with `RateLimited`. */
export async function countSignIn({ limits, addressOf }: CountingParts, call: IncomingCall): Promise<void> {
  const address = addressOf(call);
  if (address !== undefined) await limits.count([{ limit: "sign_in_address", of: address }]);
}

/** Counts a sign-in that begins without an authorization, under the same limit per address. Refuses with `RateLimited`. */
export async function countNewSignIn(
  { limits, addressOf }: CountingParts,
  call: IncomingCall,
): Promise<void> {
  const address = addressOf(call);
  if (address !== undefined) await limits.count([{ limit: "authorize_address", of: address }]);
}

/**
 * Counts a new sign-in at an authorization's page, per process and under the limit of authorizations. The first was
 * counted with the authorization, and a browser that returns its sign-in's cookie begins no other. Refuses with
 * `RateLimited`.
 */
export async function countSignInOfAuthorization(
  { limits, addressOf }: CountingParts,
  call: IncomingCall,
): Promise<void> {
  const address = addressOf(call);
  if (address !== undefined) limits.countHere({ limit: "authorize_address", of: address });
}

/** Counts a page or form per address and process, because each costs look-ups. Refuses with `RateLimited`. */
export function countPage({ limits, addressOf }: CountingParts, call: IncomingCall): void {
  const address = addressOf(call);
  if (address !== undefined) limits.countHere({ limit: "page_address", of: address });
}
