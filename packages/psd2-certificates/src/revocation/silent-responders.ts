import { LRUCache } from "lru-cache";

/**
 * Which responders gave no octets a moment ago. Whoever can be looked up in a list is looked up there first then: without
 * this, every certificate of an authority whose responder is down would wait for it anew.
 */
export interface SilentResponders {
  isSilent(url: URL): boolean;
  /** Notes what becomes of a question, which goes on as it does. */
  watch(url: URL, answer: Promise<Buffer>): Promise<Buffer>;
}

const silenceMilliseconds = 5_000;
const respondersLimit = 1_000;

/** Makes a memory in which nobody is silent. */
export function createSilentResponders(monotonic: () => number): SilentResponders {
  const silentUntil = new LRUCache<string, number>({ max: respondersLimit });
  return {
    isSilent: ({ href }) => monotonic() < (silentUntil.get(href) ?? Number.NEGATIVE_INFINITY),
    watch: async ({ href }, answer) => {
      try {
        const octets = await answer;
        silentUntil.delete(href);
        return octets;
      } catch (error) {
        silentUntil.set(href, monotonic() + silenceMilliseconds);
        throw error;
      }
    },
  };
}
