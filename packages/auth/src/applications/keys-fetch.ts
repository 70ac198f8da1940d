import { createGuardedFetch, createNameServerLookup, type GuardedFetch } from "@cobs/service-edge";
import type { PublishedKeysSettings } from "./application-settings.ts";

/** Replacements for tests, which have no public address or DNS zone. */
interface KeysFetchStandIns {
  readonly isPublic?: (address: string) => boolean;
  readonly nameServers?: readonly string[];
}

/**
 * Makes the only fetch from auth to addresses of TPPs. Their host names are looked up at name servers directly, where
 * an unanswered name delays nobody else. With private addresses allowed, the system resolver is used, as developers
 * have these names in their hosts file.
 */
export function createKeysFetch(
  { allowsPrivateAddresses, authorities }: PublishedKeysSettings,
  { isPublic, nameServers }: KeysFetchStandIns = {},
): GuardedFetch {
  return createGuardedFetch({
    allowsPrivateAddresses,
    followsRedirects: false,
    ...(!allowsPrivateAddresses && { lookUp: createNameServerLookup(nameServers) }),
    ...(isPublic && { isPublic }),
    ...(authorities && { authorities }),
  });
}
