import type { IncomingCall } from "@cobs/service-edge";
import { findApplicationId } from "../applications/find-application-id.ts";
import type { ReadAddress } from "../limits/caller-address.ts";
import type { Counted } from "../limits/limit.ts";
import type { RateLimits } from "../limits/rate-limits.ts";

/** What the calls of a PSU's browser are counted with, for its address among others. */
export interface CountingParts {
  readonly limits: RateLimits;
  readonly addressOf: ReadAddress;
}

/**
 * Counts an authorization request, which anybody can send and which stores something, before it is read: for its address,
 * and for its application, or for the pushed request that it begins with. Who sends many for another TPP's application
 * cannot keep those away that the application has pushed. Refuses with `RateLimited`.
 */
export function countAuthorization({ limits, addressOf }: CountingParts, call: IncomingCall): Promise<void> {
  const address = addressOf(call);
  const ofAddress: Counted[] = address === undefined ? [] : [{ limit: "authorize_address", of: address }];
  return limits.count([...ofAddress, ...countedOf(call.query)]);
}

function countedOf(query: URLSearchParams): readonly Counted[] {
  // What has no value counts as left out (RFC 6749 3.1), here as for the provider.
  const [pushed = ""] = query.getAll("request_uri");
  if (pushed !== "") return [{ limit: "authorize_pushed", of: pushed }];
  const id = findApplicationId(query.get("client_id"));
  return id === undefined ? [] : [{ limit: "authorize_application", of: id }];
}

/** Also of many usernames only so many are tried from one address. Refuses with `RateLimited`. */
export async function countSignIn({ limits, addressOf }: CountingParts, call: IncomingCall): Promise<void> {
  const address = addressOf(call);
  if (address !== undefined) await limits.count([{ limit: "sign_in_address", of: address }]);
}

/** A sign-in that begins without an authorization is kept like one: as many from one address. Refuses with `RateLimited`. */
export async function countNewSignIn(
  { limits, addressOf }: CountingParts,
  call: IncomingCall,
): Promise<void> {
  const address = addressOf(call);
  if (address !== undefined) await limits.count([{ limit: "authorize_address", of: address }]);
}

/**
 * A sign-in that begins at the page of an authorization, whose first one was counted with that: a browser that sends back the
 * cookie of its sign-in begins no other. As many as authorizations, and each process counts for itself. Refuses with `RateLimited`.
 */
export async function countSignInOfAuthorization(
  { limits, addressOf }: CountingParts,
  call: IncomingCall,
): Promise<void> {
  const address = addressOf(call);
  if (address !== undefined) limits.countHere({ limit: "authorize_address", of: address });
}

/** Every page and every form costs look-ups, whoever asks; each process counts them for itself. Refuses with `RateLimited`. */
export function countPage({ limits, addressOf }: CountingParts, call: IncomingCall): void {
  const address = addressOf(call);
  if (address !== undefined) limits.countHere({ limit: "page_address", of: address });
}
