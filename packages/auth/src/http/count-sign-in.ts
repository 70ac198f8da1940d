import type { IncomingCall } from "@cobs/service-edge";
import type { ReadAddress } from "../limits/caller-address.ts";
import type { RateLimits } from "../limits/rate-limits.ts";

/** What is counted for the address of a PSU's browser, and with what. */
export interface CountingSignIns {
  readonly limits: RateLimits;
  readonly addressOf: ReadAddress;
}

/** Also of many usernames only so many are tried from one address. Refuses with `RateLimited`. */
export async function countSignIn({ limits, addressOf }: CountingSignIns, call: IncomingCall): Promise<void> {
  const address = addressOf(call);
  if (address !== undefined) await limits.count([{ limit: "sign_in_address", of: address }]);
}

/** A sign-in that begins without an authorization is kept like one: as many from one address. Refuses with `RateLimited`. */
export async function countNewSignIn(
  { limits, addressOf }: CountingSignIns,
  call: IncomingCall,
): Promise<void> {
  const address = addressOf(call);
  if (address !== undefined) await limits.count([{ limit: "authorize_address", of: address }]);
}

/** Every page and every form costs look-ups, whoever asks; each process counts them for itself. Refuses with `RateLimited`. */
export function countPage({ limits, addressOf }: CountingSignIns, call: IncomingCall): void {
  const address = addressOf(call);
  if (address !== undefined) limits.countHere({ limit: "page_address", of: address });
}
