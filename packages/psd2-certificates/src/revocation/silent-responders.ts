import { LRUCache } from "lru-cache";

/**
 * Remembers which responders gave no octets a moment ago; certificates that are in a list are then looked up there first.
 * Otherwise every certificate of an authority whose responder is down would wait for it anew.
 */
export interface SilentResponders {
  isSilent(url: URL): boolean;
  /** Notes the outcome of a question, and passes it on unchanged. */
  watch(url: URL, answer: Promise<Buffer>): Promise<Buffer>;
}

const silenceMilliseconds = 5_000;
const respondersLimit = 1_000;

/** Makes a memory in which no responder is silent. */
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
