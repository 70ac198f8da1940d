import type { ConsentId } from "../consent/consent-id.ts";
import type { TokenHolder } from "../tokens/revoke-tokens-postgres.ts";
import { type HashPrefix, parseHashPrefix } from "../tokens/token-search.ts";
import { APPLICATION, CONSENT, LINE, ORGANISATION } from "./parameter-kinds.ts";
import { type OrderReader, parseOperatorOrder } from "./parse-order.ts";
import type { ParameterKind } from "./parse-query.ts";

/** An order to revoke all tokens of a holder, or the one that a hash names. */
export interface TokenRevocation {
  readonly reason: string;
  readonly of: TokenHolder | { readonly kind: "hash"; readonly prefix: HashPrefix };
  /** Where the previous order, which was not complete, left off. */
  readonly after: ConsentId | undefined;
}

const HASH: ParameterKind<HashPrefix> = {
  read: parseHashPrefix,
  must: "the first 12 characters of the SHA-256 of the token in base64url, or all 43",
};

function readTargets({ optional }: OrderReader): readonly TokenRevocation["of"][] {
  const consent = optional("consent", CONSENT);
  const application = optional("application", APPLICATION);
  const tpp = optional("tpp", ORGANISATION);
  const prefix = optional("hash", HASH);
  return [
    ...(consent === undefined ? [] : [{ kind: "consent", id: consent } as const]),
    ...(application === undefined ? [] : [{ kind: "application", id: application } as const]),
    ...(tpp === undefined ? [] : [{ kind: "tpp", id: tpp } as const]),
    ...(prefix === undefined ? [] : [{ kind: "hash", prefix } as const]),
  ];
}

const TARGETS = ["consent", "application", "tpp", "hash"];

/** Reads the body of an order to revoke tokens. Refuses with `order_malformed`. */
export function parseTokenRevocation(body: unknown): TokenRevocation {
  return parseOperatorOrder(body, [...TARGETS, "after", "reason"], (read) => {
    const [of] = readTargets(read);
    const after = read.optional("after", CONSENT);
    const reason = read.required("reason", LINE);
    read.requireOne(TARGETS);
    return of === undefined || reason === undefined ? undefined : { of, after, reason };
  });
}
