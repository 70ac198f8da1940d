import { LRUCache } from "lru-cache";
import { endWithin } from "../fetch-within.ts";
import { detailOf, UnusableAnswer } from "../revocation-answer.ts";

/**
 * Downloads a list once for all who wait for it. The wait, but not the download, ends `limitMilliseconds` after the download
 * began. After a failure no new download begins for a while.
 */
export type ListDownloads<List> = (
  key: string,
  limitMilliseconds: number,
  act: () => Promise<List>,
) => Promise<List>;

const patienceMilliseconds = 5_000;
const failuresLimit = 100;

/** Makes the downloads of one memory. */
export function createListDownloads<List>(monotonic: () => number): ListDownloads<List> {
  const failures = new LRUCache<string, { readonly until: number; readonly detail: string }>({
    max: failuresLimit,
  });
  const underWay = new Map<string, { readonly startedAt: number; readonly list: Promise<List> }>();
  const begin = (key: string, act: () => Promise<List>) => {
    const failure = failures.get(key);
    if (failure !== undefined && monotonic() < failure.until) throw new UnusableAnswer(failure.detail);
    const fail = (error: unknown) => {
      failures.set(key, { until: monotonic() + patienceMilliseconds, detail: detailOf(error) });
      throw error;
    };
    const list = act()
      .catch(fail)
      .finally(() => underWay.delete(key));
    const download = { startedAt: monotonic(), list };
    underWay.set(key, download);
    return download;
  };
  return async (key, limitMilliseconds, act) => {
    const { startedAt, list } = underWay.get(key) ?? begin(key, act);
    return endWithin(list, startedAt + limitMilliseconds - monotonic());
  };
}
