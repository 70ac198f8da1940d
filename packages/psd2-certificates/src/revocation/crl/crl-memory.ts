import { LRUCache } from "lru-cache";
import { countNothing } from "../../count-cache.ts";
import type { PathLink } from "../../path/path-link.ts";
import { fetchWithin } from "../fetch-within.ts";
import type { RevocationClock } from "../revocation-clock.ts";
import type { RevocationFetch } from "../revocation-fetch.ts";
import type { RevocationSettings } from "../revocation-settings.ts";
import { createListDownloads } from "./list-downloads.ts";
import { type RevocationList, readRevocationList } from "./read-crl.ts";

/** A list, and when it was asked for last, on the monotonic clock. */
export interface HeldList {
  readonly list: RevocationList;
  readonly askedAt: number;
}

/** Where a list lies, and how long may be waited for it. */
export interface ListQuestion {
  readonly url: URL;
  readonly limitMilliseconds: number;
  readonly clock: RevocationClock;
}

/** Remembers lists by their place and the authority that signed them, each fetched once however many ask. */
export interface CrlMemory {
  /** Rejects when there is no list in its time. */
  find(link: PathLink, question: ListQuestion): Promise<HeldList>;
  /**
   * Fetches a list beside the calls where none is held, or half of the time is over that it had left when it was asked for
   * last; says nothing of its failure.
   */
  prefetch(link: PathLink, place: Pick<ListQuestion, "url" | "clock">): void;
}

/** The largest list that a DER length of three octets can say; a hundred thousand entries are a third of it. */
const limitOctets = 16_777_215;
const heldOctetsLimit = 67_108_864;
const heldListsLimit = 100;
/** The octets of a list beside its serial numbers, roughly. */
const headOctets = 1_000;
/** How long a list may take beside the calls, none of which waits for it that long: 16 MB over a slow line. */
const downloadMilliseconds = 30_000;

/**
 * Makes an empty memory. A list is asked for again once half of `cacheSeconds` has passed, long before its nextUpdate,
 * so that whoever was revoked is found within that time; when it cannot be had, the one at hand serves while it is in its
 * own time. What takes longer than a call waits goes on beside the calls, and is at hand for those after it.
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
      // Who needs the list and has none asks again, and is told then.
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

/** An authority that has signed no newer list by then is asked when half of the rest is over, not at each answer of OCSP. */
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

/** Plain http lets others answer with the list of last week, whose signature and time are right too. */
function newerOf(fetched: RevocationList, held: RevocationList | undefined): RevocationList {
  return held !== undefined && held.from > fetched.from ? held : fetched;
}
