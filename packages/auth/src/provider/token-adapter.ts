import { type Adapter, type AdapterPayload, errors, Provider } from "oidc-provider";
import { parseConsentId } from "../consent/consent-id.ts";
import type { ConsentStore } from "../consent/consent-store.ts";
import type { RecordKey } from "../ephemeral/ephemeral-store.ts";
import type { NewToken, TokenStore } from "../tokens/token-store.ts";
import type { ReadAct } from "./act-of-call.ts";
import { beginningOf, isOutgrown } from "./begun-profile.ts";
import type { Carried } from "./carried.ts";
import type { ConsentsOfCalls } from "./consents-of-calls.ts";
import { UNUSED_ADAPTER } from "./unused-adapter.ts";

interface TokenAdapterParts {
  readonly tokens: TokenStore<AdapterPayload>;
  readonly consents: ConsentStore;
  readonly consentsOfCalls: ConsentsOfCalls;
  readonly readAct: ReadAct;
  readonly redemptions: Carried<Redemption>;
}

/** A code that a call redeems, and what it has been given so far. */
export interface Redemption {
  readonly code: RecordKey;
  readonly given: readonly NewToken<AdapterPayload>[];
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

const endless = (payload: AdapterPayload) => ({ ...payload, exp: Number.MAX_SAFE_INTEGER });

/** Whoever revokes a token ends it by every clock: one that was ahead, ours or the database's, would bring it back. */
async function findToRevoke({ tokens }: TokenAdapterParts, key: RecordKey) {
  const found = await tokens.findKept(key);
  return found && { ...found, payload: endless(found.payload) };
}

/** A code that was used ends its consent also when it comes after its time: the provider would refuse it before it looks. */
async function findToUse({ tokens }: TokenAdapterParts, key: RecordKey) {
  const found = await tokens.find(key);
  return found?.consumed ? { ...found, payload: endless(found.payload) } : found;
}

async function redeem(parts: TokenAdapterParts, { code, given }: Redemption): Promise<void> {
  if (await parts.tokens.redeem(code, given)) return;
  await endReusedGrant(parts, code);
  throw new errors.InvalidGrant("used by another request at the same time");
}

/**
 * Stores codes and tokens. The provider checks whether a code was used, marks it, and stores both tokens afterwards, of which
 * the refresh token always comes last (COBS PDF 1.3.1). Two calls at once would both pass, and a failure in between would
 * leave a code that ends its consent when it comes again, as would a wrong resource or certificate, which the provider finds
 * after its mark. So it is marked here with both tokens, and the second call is refused (RFC 6749 4.1.2).
 */
export function createTokenAdapter(kind: string, parts: TokenAdapterParts): Adapter {
  const { tokens, redemptions } = parts;
  return {
    ...UNUSED_ADAPTER,
    async upsert(id, { jti: _, ...payload }, lifetimeSeconds) {
      const { grantId } = payload;
      if (grantId === undefined || lifetimeSeconds === undefined)
        throw new TypeError("a token needs a grant and an end");
      const call = Provider.ctx;
      const redemption = call && redemptions.of(call);
      const key = { kind, id };
      if (call === undefined || redemption === undefined)
        return tokens.put(key, { ...payload, ...begunWith(kind) }, { grantId, lifetimeSeconds });
      const given = [...redemption.given, { key, payload, grantId, lifetimeSeconds }];
      redemptions.put(call, { ...redemption, given });
      if (kind === "RefreshToken") await redeem(parts, { ...redemption, given });
    },
    async find(id) {
      const key = { kind, id };
      const isRevocation = Provider.ctx?.oidc.route === "revocation";
      const found = await (isRevocation ? findToRevoke(parts, key) : findToUse(parts, key));
      if (found === undefined) return undefined;
      parts.consentsOfCalls.keep(found);
      // One that was used ends its grant whoever sends it again.
      if (!found.consumed && isOutgrown(found.payload, Provider.ctx?.oidc.client)) return undefined;
      // Members behind a spread cost V8 of Node.js 20 ten times as much; before one, what is stored would count for more.
      return Object.assign({}, found.payload, { jti: id, consumed: found.consumed });
    },
    async consume(id) {
      const { ctx } = Provider;
      if (ctx === undefined) throw new TypeError("a code is used outside of a call");
      redemptions.put(ctx, { code: { kind, id }, given: [] });
    },
    // What ends its grant goes with the consent, in the statement that ends it, which `Grant.destroy` runs: were it
    // removed before, a failure between the two would leave tokens that no repetition of the call could end.
    destroy: async (id) => {
      if (kind !== "RefreshToken") await tokens.remove({ kind, id }, parts.readAct());
    },
    revokeByGrantId: async () => {},
  };
}
