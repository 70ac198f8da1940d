import { type Adapter, type AdapterPayload, errors, Provider } from "oidc-provider";
import { parseConsentId } from "../consent/consent-id.ts";
import type { ConsentStore } from "../consent/consent-store.ts";
import type { RecordKey } from "../ephemeral/ephemeral-store.ts";
import type { ReadAct } from "./act-of-call.ts";
import { beginningOf, isOutgrown } from "./begun-profile.ts";
import type { Carried } from "./carried.ts";
import type { ConsentsOfCalls } from "./consents-of-calls.ts";
import type { RequireIssuable } from "./require-issuable.ts";
import type { TokenStore } from "./token-store.ts";
import { UNUSED_ADAPTER } from "./unused-adapter.ts";

interface TokenAdapterParts {
  readonly tokens: TokenStore<AdapterPayload>;
  readonly consents: ConsentStore;
  readonly consentsOfCalls: ConsentsOfCalls;
  readonly readAct: ReadAct;
  readonly requireIssuable: RequireIssuable;
  /** Access tokens on their way into the store, by the call that waits for them with the refresh token that follows. */
  readonly underWay: Carried<Promise<void>>;
}

async function endReusedGrant(
  { tokens, consents, readAct }: TokenAdapterParts,
  key: RecordKey,
): Promise<void> {
  const id = parseConsentId((await tokens.find(key))?.payload.grantId);
  if (id !== undefined) await consents.end(id, { by: "bank", reason: "code_reused", act: readAct() });
}

/** What a code carries besides; tokens go on after their application has moved up. */
function begunWith(kind: string) {
  const { ctx } = Provider;
  return kind === "AuthorizationCode" && ctx !== undefined ? beginningOf(ctx.oidc) : {};
}

/** Whether a refresh token follows in the same call: with a code there always is one (COBS PDF 1.3.1). */
function isFollowed(kind: string, { gty }: AdapterPayload): boolean {
  return kind === "AccessToken" && gty === "authorization_code";
}

/**
 * Stores codes and tokens. The provider checks whether a code was used, and marks it afterwards; two calls at once
 * would both pass, so marking refuses the second one here (RFC 6749 4.1.2); and it refuses what no token can be issued for. Both tokens that come with a code are
 * stored together, and neither is answered before that.
 */
export function createTokenAdapter(kind: string, parts: TokenAdapterParts): Adapter {
  const { tokens, underWay } = parts;
  return {
    ...UNUSED_ADAPTER,
    async upsert(id, { jti: _, ...payload }, lifetimeSeconds) {
      const { grantId } = payload;
      if (grantId === undefined || lifetimeSeconds === undefined)
        throw new TypeError("a token needs a grant and an end");
      const call = Provider.ctx;
      const kept = tokens.put({ kind, id }, { ...payload, ...begunWith(kind) }, { grantId, lifetimeSeconds });
      if (call === undefined || !isFollowed(kind, payload)) {
        await Promise.all([kept, call && underWay.of(call)]);
        return;
      }
      // Whoever waits for it is told.
      kept.catch(() => undefined);
      underWay.put(call, kept);
    },
    async find(id) {
      const found = await tokens.find({ kind, id });
      if (found === undefined) return undefined;
      parts.consentsOfCalls.keep(found);
      // One that was used ends its grant whoever sends it again.
      if (!found.consumed && isOutgrown(found.payload, Provider.ctx?.oidc.client)) return undefined;
      return { ...found.payload, jti: id, consumed: found.consumed };
    },
    async consume(id) {
      parts.requireIssuable();
      if (await tokens.consume({ kind, id })) return;
      await endReusedGrant(parts, { kind, id });
      throw new errors.InvalidGrant("used by another request at the same time");
    },
    // What ends its grant goes with the consent, in the statement that ends it, which `Grant.destroy` runs: were it
    // removed before, a failure between the two would leave tokens that no repetition of the call could end.
    destroy: async (id) => {
      if (kind !== "RefreshToken") await tokens.remove({ kind, id }, parts.readAct());
    },
    revokeByGrantId: async () => {},
  };
}
