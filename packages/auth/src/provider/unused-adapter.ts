import type { Adapter } from "oidc-provider";

function notCalled(): never {
  throw new TypeError("the provider made a call that this server has no use for");
}

/** Throws a TypeError on every call; adapters override the methods that their model needs. */
export const UNUSED_ADAPTER: Adapter = {
  upsert: notCalled,
  find: notCalled,
  findByUserCode: notCalled,
  findByUid: notCalled,
  consume: notCalled,
  destroy: notCalled,
  revokeByGrantId: notCalled,
};
