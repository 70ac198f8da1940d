import { createGuardedFetch, createNameServerLookup, type GuardedFetch } from "@cobs/service-edge";
import type { PublishedKeysSettings } from "./application-settings.ts";

/** For tests, which own no public address and no zone. */
interface KeysFetchStandIns {
  readonly isPublic?: (address: string) => boolean;
  readonly nameServers?: readonly string[];
}

/**
 * The one way from auth to an address of TPPs. Names of theirs are asked of name servers, where one that nobody answers for
 * keeps nobody waiting; private addresses are a developer's, who has them in a file of hosts.
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
