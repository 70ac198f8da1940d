import type { IncomingCall } from "@cobs/service-edge";
import { findApplicationId } from "../applications/find-application-id.ts";
import type { ReadAddress } from "../limits/caller-address.ts";
import type { Counted } from "../limits/limit.ts";
import type { RateLimits } from "../limits/rate-limits.ts";

/** What an authorization request is counted with. */
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
  const [pushed] = query.getAll("request_uri");
  if (pushed !== undefined) return [{ limit: "authorize_pushed", of: pushed }];
  const id = findApplicationId(query.get("client_id"));
  return id === undefined ? [] : [{ limit: "authorize_application", of: id }];
}
