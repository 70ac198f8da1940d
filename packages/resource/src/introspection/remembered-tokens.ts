import { LRUCache } from "lru-cache";
import type { Ending, EndingTaker } from "../endings/ending.ts";
import type { ActiveToken } from "./token-introspection.ts";

/** Twice as many as consents that are in use at once: a renewed token is beside the former one for a while. */
const MAX_REMEMBERED_TOKENS = 20_000;
/** Of all tokens together, a hundred for each and room for those with more: most of what is remembered are accounts. */
const MAX_REMEMBERED_ACCOUNTS = 2_400_000;

/** What was said about a token; when the question was sent and when the token ends, on the monotonic clock in milliseconds. */
export interface RememberedToken {
  readonly sentAt: number;
  readonly endsAt: number;
  readonly token: ActiveToken;
}

/** Active tokens, bounded, under the hash of each; forgotten when they or something that they hang on ends. */
export type RememberedTokens = EndingTaker & {
  find(hash: string): RememberedToken | undefined;
  keep(hash: string, remembered: RememberedToken): void;
  forget(hash: string): void;
  /** How many there are. */
  size(): number;
};

/** What a token hangs on; each ends with an event of that name. */
const namesOf = ({ token }: RememberedToken): readonly string[] => [
  `consent ${token.consent.id}`,
  `application ${token.applicationId}`,
  `psu_blocked ${token.psu}`,
];

/** Makes an empty memory; whether what was found still serves is decided, and counted, by whoever looks it up. */
export function rememberTokens(): RememberedTokens {
  /** The tokens that hang on each name. */
  const hanging = new Map<string, Set<string>>();
  const tokens = new LRUCache<string, RememberedToken>({
    max: MAX_REMEMBERED_TOKENS,
    maxSize: MAX_REMEMBERED_ACCOUNTS,
    sizeCalculation: ({ token }) => 1 + token.consent.accounts.length,
    dispose: (remembered, hash) => {
      for (const name of namesOf(remembered)) {
        const hashes = hanging.get(name);
        hashes?.delete(hash);
        if (hashes?.size === 0) hanging.delete(name);
      }
    },
  });

  function take(ending: Ending): void {
    switch (ending.kind) {
      case "token":
        return void tokens.delete(ending.hash);
      case "consent":
      case "application":
      case "psu_blocked":
        for (const hash of [...(hanging.get(`${ending.kind} ${ending.id}`) ?? [])]) tokens.delete(hash);
        return;
      // Whoever has the key could have signed any of the answers.
      case "signing_key_dropped":
      case "unknown":
        return void tokens.clear();
    }
  }

  return {
    find: (hash) => tokens.get(hash),
    keep: (hash, remembered) => {
      tokens.set(hash, remembered);
      for (const name of namesOf(remembered))
        hanging.set(name, (hanging.get(name) ?? new Set<string>()).add(hash));
    },
    forget: (hash) => void tokens.delete(hash),
    size: () => tokens.size,
    begin: () => tokens.clear(),
    take,
  };
}
