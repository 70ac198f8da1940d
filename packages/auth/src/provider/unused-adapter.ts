import type { Adapter } from "oidc-provider";

function notCalled(): never {
  throw new TypeError("the provider made a call that this server has no use for");
}

/** Refuses every call as a fault of ours; adapters replace what their model needs. */
export const UNUSED_ADAPTER: Adapter = {
  upsert: notCalled,
  find: notCalled,
  findByUserCode: notCalled,
  findByUid: notCalled,
  consume: notCalled,
  destroy: notCalled,
  revokeByGrantId: notCalled,
};
