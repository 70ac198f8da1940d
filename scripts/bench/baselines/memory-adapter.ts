/**
 * Store of the baseline of auth: a map. The provider's own one goes through all tokens of a grant at each new token, and so
 * would get slower the longer a bench refreshes one consent's tokens.
 */
import { LRUCache } from "lru-cache";
import type { AdapterFactory, AdapterPayload } from "oidc-provider";

/** Maximum number of records; the least recently used is dropped first. */
const MAX_RECORDS = 20_000;

/** Makes the adapters of all models over one map. */
export function createMemoryAdapter(): AdapterFactory {
  const records = new LRUCache<string, AdapterPayload>({ max: MAX_RECORDS });
  return (model) => {
    const nameOf = (id: string) => `${model} ${id}`;
    const find = async (id: string) => records.get(nameOf(id));
    return {
      async upsert(id, payload) {
        records.set(nameOf(id), payload);
        if (payload.uid !== undefined) records.set(nameOf(payload.uid), payload);
      },
      find,
      findByUid: find,
      findByUserCode: find,
      async consume(id) {
        const record = records.get(nameOf(id));
        if (record !== undefined) record.consumed = true;
      },
      async destroy(id) {
        records.delete(nameOf(id));
      },
      revokeByGrantId: async () => undefined,
    };
  };
}
