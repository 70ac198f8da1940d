import { findPublishedJwks, type PublicJwks, type PublishedJwks } from "@cobs/cobs-model";
import type { OrganisationIdentifier } from "@cobs/psd2-certificates";
import { type Clock, type GuardedFetch, type Log, parseStrictJson } from "@cobs/service-edge";
import { LRUCache } from "lru-cache";

/** The keys that TPPs publish for their applications (RFC 7591 section 2, `jwks_uri`). */
export interface PublishedKeys {
  /** Whether keys are fetched at all. */
  readonly fetches: boolean;
  /**
   * Finds the keys at an address, for a signature that names the key `kid`; undefined when none can be had. Never
   * rejects, and delays only callers that need these keys.
   */
  find(published: Published, kid: string | undefined): Promise<PublicJwks | undefined>;
}

/** Where keys are published, and the TPP. Keys are kept per TPP, so that one TPP's calls do not use up another's fetches. */
export interface Published {
  readonly address: string;
  readonly owner: OrganisationIdentifier;
}

/** What fetching and caching keys needs. */
export interface PublishedKeysParts {
  readonly fetch: GuardedFetch["fetch"];
  readonly clock: Pick<Clock, "monotonicMilliseconds">;
  readonly log: Log;
}

/** The keys known for an address of a TPP; times are of the monotonic clock. */
interface Known {
  keys: PublicJwks | undefined;
  fetchedAt: number;
  triedAt: number;
  underWay: Promise<void> | undefined;
}

const MAX_ADDRESSES = 1_000;
/**
 * How long fetched keys are fresh. A key removed from the set ends after this, if the TPP's server answers with a set,
 * even an empty one.
 */
const FRESH_MILLISECONDS = 300_000;
/** How long the last keys are used while the TPP's server does not answer. */
const KEPT_MILLISECONDS = 3_600_000;
/** Least time between two fetches from one address, whatever key is asked for. */
const INTERVAL_MILLISECONDS = 30_000;
/** Enough for ten RSA keys of 8,192 bits, each with a certificate chain. */
const LIMIT_OCTETS = 262_144;
const LIMIT_MILLISECONDS = 2_000;

const NOTHING_TO_SIGN_WITH =
  "the jwks_uri of an application does not have one to ten signing keys with distinct kids";

function parseSet(octets: Buffer): PublishedJwks {
  const set = findPublishedJwks(parseStrictJson(octets.toString("utf8")));
  if (set === undefined) throw new Error("the answer is not a usable JWK set");
  return set;
}

function isKnownKey({ keys }: Known, kid: string | undefined): boolean {
  return keys !== undefined && (kid === undefined || keys.keys.some((key) => key.kid === kid));
}

/** Fetches the keys that TPPs publish, keeps them for a while, and fetches again for an unknown key. */
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

/** Published keys of a bank that fetches none. */
export const NO_PUBLISHED_KEYS: PublishedKeys = { fetches: false, find: async () => undefined };
