/**
 * The store of the baseline of auth: a map. The provider's own one goes through all tokens of a grant at each new one, so that
 * it would be the slower, the longer a bench refreshes the tokens of one consent.
 */
import { LRUCache } from "lru-cache";
import type { AdapterFactory, AdapterPayload } from "oidc-provider";

/** So many records; what is used stays, and what nobody asks for goes. */
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
