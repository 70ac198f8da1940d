import { type Adapter, type AdapterPayload, errors, Provider } from "oidc-provider";
import { parseConsentId } from "../consent/consent-id.ts";
import type { ConsentStore } from "../consent/consent-store.ts";
import type { RecordKey } from "../ephemeral/ephemeral-store.ts";
import type { ReadAct } from "./act-of-call.ts";
import { beginningOf, isOutgrown } from "./begun-profile.ts";
import type { TokenStore } from "./token-store.ts";
import { UNUSED_ADAPTER } from "./unused-adapter.ts";

interface TokenAdapterParts {
  readonly tokens: TokenStore<AdapterPayload>;
  readonly consents: ConsentStore;
  readonly readAct: ReadAct;
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

/**
 * Codes and tokens. The provider looks whether a code was used and marks it afterwards; of two calls at once both would
 * pass, if marking did not refuse the second here (RFC 6749 4.1.2).
 */
export function createTokenAdapter(kind: string, parts: TokenAdapterParts): Adapter {
  const { tokens } = parts;
  return {
    ...UNUSED_ADAPTER,
    async upsert(id, { jti: _, ...payload }, lifetimeSeconds) {
      const { grantId } = payload;
      if (grantId === undefined || lifetimeSeconds === undefined)
        throw new TypeError("a token needs a grant and an end");
      await tokens.put({ kind, id }, { ...payload, ...begunWith(kind) }, { grantId, lifetimeSeconds });
    },
    async find(id) {
      const found = await tokens.find({ kind, id });
      if (found === undefined) return undefined;
      // One that was used ends its grant whoever sends it again.
      if (!found.consumed && isOutgrown(found.payload, Provider.ctx?.oidc.client)) return undefined;
      return { ...found.payload, jti: id, consumed: found.consumed };
    },
    async consume(id) {
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
