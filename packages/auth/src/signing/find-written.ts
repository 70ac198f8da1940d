import type { SigningRequest } from "./signing-request.ts";
import type { SigningRequestId } from "./signing-request-id.ts";
import type { SigningAct, SigningStore } from "./signing-store.ts";

/**
 * Finds a request for a caller that acts on its outcome. An expiry is written first, under the row's lock, because an approval
 * given in time may be on its way. A request that is overdue by this process's clock alone is returned as still waiting.
 */
export async function findWritten(
  store: Pick<SigningStore, "find" | "settle">,
  id: SigningRequestId,
  by: SigningAct,
): Promise<SigningRequest | undefined> {
  const found = await store.find(id, by.now);
  if (found?.state !== "expired") return found;
  return (await store.settle(id, by, () => undefined))?.request;
}
