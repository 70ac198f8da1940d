import { findPublishedJwks, type PublicJwks, type PublishedJwks } from "@cobs/cobs-model";
import type { OrganisationIdentifier } from "@cobs/psd2-certificates";
import { type Clock, type GuardedFetch, type Log, parseStrictJson } from "@cobs/service-edge";
import { LRUCache } from "lru-cache";

/** The keys that TPPs publish for their applications (RFC 7591 section 2, `jwks_uri`). */
export interface PublishedKeys {
  /** Whether keys are fetched at all. */
  readonly fetches: boolean;
  /**
   * The keys at an address, for a signature that names the key `kid`; undefined when there are none to be had. Never
   * rejects, and makes nobody wait but those who need these very keys.
   */
  find(published: Published, kid: string | undefined): Promise<PublicJwks | undefined>;
}

/** Where keys are published, and for whose applications: what another TPP makes us ask there uses up nothing of this one's. */
export interface Published {
  readonly address: string;
  readonly owner: OrganisationIdentifier;
}

/** What keys are fetched and remembered with. */
export interface PublishedKeysParts {
  readonly fetch: GuardedFetch["fetch"];
  readonly clock: Pick<Clock, "monotonicMilliseconds">;
  readonly log: Log;
}

/** What is known of an address of a TPP; times are of the monotonic clock. */
interface Known {
  keys: PublicJwks | undefined;
  fetchedAt: number;
  triedAt: number;
  underWay: Promise<void> | undefined;
}

const MAX_ADDRESSES = 1_000;
/** A key that a TPP takes out of its set ends after this, while its server answers with a set, be it an empty one. */
const FRESH_MILLISECONDS = 300_000;
/** And after this, when it does not: the last keys serve on. */
const KEPT_MILLISECONDS = 3_600_000;
/** Whatever is asked for, a TPP's server is not asked more often. */
const INTERVAL_MILLISECONDS = 30_000;
/** Ten RSA keys of 8,192 bits, with a chain of certificates each. */
const LIMIT_OCTETS = 262_144;
const LIMIT_MILLISECONDS = 2_000;

const NOTHING_TO_SIGN_WITH = "an application publishes no set of one to ten signing keys with distinct names";

function parseSet(octets: Buffer): PublishedJwks {
  const set = findPublishedJwks(parseStrictJson(octets.toString("utf8")));
  if (set === undefined) throw new Error("there is no set of keys");
  return set;
}

function isKnownKey({ keys }: Known, kid: string | undefined): boolean {
  return keys !== undefined && (kid === undefined || keys.keys.some((key) => key.kid === kid));
}

/** Fetches keys from where TPPs publish them, keeps them for a while, and fetches anew for a key that is not known. */
export function createPublishedKeys({ fetch, clock, log }: PublishedKeysParts): PublishedKeys {
  const known = new LRUCache<string, Known>({ max: MAX_ADDRESSES });
  const now = () => clock.monotonicMilliseconds();

  async function refresh(address: string, entry: Known): Promise<void> {
    entry.triedAt = now();
    const url = new URL(address);
    const limits = { limitOctets: LIMIT_OCTETS, limitMilliseconds: LIMIT_MILLISECONDS };
    const accept = "application/jwk-set+json, application/json";
    try {
      const octets = await fetch({ url, accept, body: undefined, contentType: undefined, ...limits });
      entry.keys = parseSet(octets).signing;
      entry.fetchedAt = entry.triedAt;
      if (entry.keys === undefined) log.warn({ host: url.host }, NOTHING_TO_SIGN_WITH);
    } catch (error) {
      const detail = error instanceof Error ? error.message : String(error);
      log.warn({ host: url.host, detail }, "the keys of an application could not be fetched");
    }
  }

  function entryOf({ address, owner }: Published): Known {
    const name = `${owner} ${address}`;
    const nothing = { keys: undefined, fetchedAt: -Infinity, triedAt: -Infinity, underWay: undefined };
    const entry = known.get(name) ?? nothing;
    known.set(name, entry);
    return entry;
  }

  return {
    fetches: true,
    async find(published, kid) {
      const entry = entryOf(published);
      const isFresh = now() - entry.fetchedAt < FRESH_MILLISECONDS;
      if (!isFresh || !isKnownKey(entry, kid)) {
        if (entry.underWay === undefined && now() - entry.triedAt >= INTERVAL_MILLISECONDS)
          entry.underWay = refresh(published.address, entry).finally(() => {
            entry.underWay = undefined;
          });
        await entry.underWay;
      }
      return now() - entry.fetchedAt < KEPT_MILLISECONDS ? entry.keys : undefined;
    },
  };
}

/** For a bank that fetches nothing from TPPs. */
export const NO_PUBLISHED_KEYS: PublishedKeys = { fetches: false, find: async () => undefined };
