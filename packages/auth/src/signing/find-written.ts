import type { SigningRequest } from "./signing-request.ts";
import type { SigningRequestId } from "./signing-request-id.ts";
import type { SigningAct, SigningStore } from "./signing-store.ts";

/**
 * The request as whoever acts upon what became of it is told: that its time is over is written first, under its lock, because
 * an approval that was given in time may be on its way. It waits still where that is so by the clock of this process alone.
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
