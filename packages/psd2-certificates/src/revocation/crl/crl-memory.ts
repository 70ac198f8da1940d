import { LRUCache } from "lru-cache";
import { countNothing } from "../../count-cache.ts";
import type { PathLink } from "../../path/path-link.ts";
import { fetchWithin } from "../fetch-within.ts";
import type { RevocationClock } from "../revocation-clock.ts";
import type { RevocationFetch } from "../revocation-fetch.ts";
import type { RevocationSettings } from "../revocation-settings.ts";
import { createListDownloads } from "./list-downloads.ts";
import { type RevocationList, readRevocationList } from "./read-crl.ts";

/** A list, and when it was last requested, on the monotonic clock. */
export interface HeldList {
  readonly list: RevocationList;
  readonly askedAt: number;
}

/** Where a list is, and how long to wait for it. */
export interface ListQuestion {
  readonly url: URL;
  readonly limitMilliseconds: number;
  readonly clock: RevocationClock;
}

/** Remembers lists by their URL and the authority that signed them; each is fetched once for all who ask. */
export interface CrlMemory {
  /** Finds a list; rejects if there is none valid now. */
  find(link: PathLink, question: ListQuestion): Promise<HeldList>;
  /**
   * Fetches a list in the background if none is held, or if half of the time is over that the list had left when last
   * requested. Failures are not reported.
   */
  prefetch(link: PathLink, place: Pick<ListQuestion, "url" | "clock">): void;
}

/** The largest list that a DER length of three octets can express; a hundred thousand entries take a third of it. */
const limitOctets = 16_777_215;
const heldOctetsLimit = 67_108_864;
const heldListsLimit = 100;
/** Approximate octets of a list besides its serial numbers. */
const headOctets = 1_000;
/** Time limit of a download in the background, for which no call waits that long: 16 MB over a slow line. */
const downloadMilliseconds = 30_000;

/**
 * Makes an empty memory. A list is requested again once half of `cacheSeconds` has passed, long before its nextUpdate, so that
 * a revocation is found within that time. If it cannot be fetched, the one at hand serves while it is valid. A download that
 * takes longer than a call waits goes on in the background, for later calls.
 */
export function createCrlMemory({
  fetch,
  cacheSeconds,
  monotonicMilliseconds: monotonic,
  countCache = countNothing,
}: RevocationSettings): CrlMemory {
  const lists = createListCache();
  const counted = countCache("revocation_lists", () => lists.size);
  const download = createListDownloads<HeldList>(monotonic);
  const isRecent = ({ askedAt }: HeldList) => monotonic() < askedAt + cacheSeconds * 500;
  const fetchLatest = async (key: string, link: PathLink, question: ListQuestion) => {
    const fetched = await fetchList(fetch, link, question);
    const latest = { ...fetched, list: newerOf(fetched.list, lists.get(key)?.list) };
    lists.set(key, latest);
    return latest;
  };
  return {
    prefetch: (link, place) => {
      const key = keyOf(link, place.url);
      const held = lists.get(key);
      if (held !== undefined && (isRecent(held) || !isHalfOver(held, place.clock))) return;
      const question = { ...place, limitMilliseconds: downloadMilliseconds };
      // A caller that needs the list and has none asks again, and then learns of the failure.
      download(key, downloadMilliseconds, () => fetchLatest(key, link, question)).catch(() => {});
    },
    find: async (link, question) => {
      const key = keyOf(link, question.url);
      const held = lists.get(key);
      const isInTime = held !== undefined && question.clock.now().getTime() <= held.list.until;
      if (isInTime && isRecent(held)) {
        counted.hit();
        return held;
      }
      counted.missed();
      try {
        return await download(key, question.limitMilliseconds, () => fetchLatest(key, link, question));
      } catch (error) {
        if (isInTime) return { ...held, askedAt: monotonic() };
        throw error;
      }
    },
  };
}

function keyOf({ issuerKey }: PathLink, url: URL): string {
  return `${url.href} ${issuerKey}`;
}

/** If an authority has signed no newer list by then, it is asked again after half of the rest, not at each answer of OCSP. */
function isHalfOver({ list: { from, until }, askedAt }: HeldList, clock: RevocationClock): boolean {
  const now = clock.now().getTime();
  const lastAsked = now - (clock.monotonic() - askedAt);
  return now >= (Math.max(from, lastAsked) + until) / 2;
}

function createListCache(): LRUCache<string, HeldList> {
  return new LRUCache({
    max: heldListsLimit,
    maxSize: heldOctetsLimit,
    sizeCalculation: ({ list }) => list.serials.octets + headOctets,
  });
}

async function fetchList(
  fetch: RevocationFetch,
  link: PathLink,
  { url, clock }: ListQuestion,
): Promise<HeldList> {
  const askedAt = clock.monotonic();
  const der = await fetchWithin(fetch, {
    url,
    body: undefined,
    contentType: undefined,
    accept: "application/pkix-crl",
    limitOctets,
    limitMilliseconds: downloadMilliseconds,
  });
  return { list: await readRevocationList(der, link, clock.now()), askedAt };
}

/** Plain http lets others replay last week's list, whose signature and time are still valid. */
function newerOf(fetched: RevocationList, held: RevocationList | undefined): RevocationList {
  return held !== undefined && held.from > fetched.from ? held : fetched;
}
