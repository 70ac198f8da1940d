import { type Adapter, type AdapterPayload, errors, type KoaContextWithOIDC, Provider } from "oidc-provider";
import { parseConsentId } from "../consent/consent-id.ts";
import type { ConsentStore } from "../consent/consent-store.ts";
import type { RecordKey } from "../ephemeral/ephemeral-store.ts";
import type { NewToken, TokenStore } from "../tokens/token-store.ts";
import type { ReadAct } from "./act-of-call.ts";
import { beginningOf, isOutgrown } from "./begun-profile.ts";
import type { Carried } from "./carried.ts";
import type { ConsentsOfCalls } from "./consents-of-calls.ts";
import { endless } from "./endless.ts";
import { UNUSED_ADAPTER } from "./unused-adapter.ts";

interface TokenAdapterParts {
  readonly tokens: TokenStore<AdapterPayload>;
  readonly consents: ConsentStore;
  readonly consentsOfCalls: ConsentsOfCalls;
  readonly readAct: ReadAct;
  readonly redemptions: Carried<Redemption>;
}

/** A code that a call redeems, and the tokens given for it so far. */
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

/** The profile stored with a code; tokens work on after their application has moved up. */
function begunWith(kind: string) {
  const { ctx } = Provider;
  return kind === "AuthorizationCode" && ctx !== undefined ? beginningOf(ctx.oidc) : {};
}

/**
 * Finds a token to revoke even if it has expired: otherwise it would become active again once a clock that was ahead,
 * ours or the database's, is corrected.
 */
async function findToRevoke({ tokens }: TokenAdapterParts, key: RecordKey) {
  const found = await tokens.findKept(key);
  return found && { ...found, payload: endless(found.payload) };
}

/**
 * Finds a token to use. A code ends by the database's clock alone: a process that is ahead would refuse those of other
 * processes. A used one ends its consent even when it comes back expired; the provider would refuse an expired one
 * before checking whether it was used.
 */
async function findToUse({ tokens }: TokenAdapterParts, key: RecordKey) {
  const found = await tokens.find(key);
  if (key.kind !== "AuthorizationCode") return found;
  requireCallerWaits(Provider.ctx);
  return found && { ...found, payload: endless(found.payload) };
}

/**
 * Refuses a code to a caller who has hung up. It would be used up for nobody; and to a caller who has sent it again meanwhile,
 * the first request would come late as a second use, and end the tokens that were just given.
 */
function requireCallerWaits(call: Pick<KoaContextWithOIDC, "res"> | undefined): void {
  if (call?.res.closed) throw new errors.InvalidGrant("the caller has hung up: the code was not used");
}

async function redeem(parts: TokenAdapterParts, { code, given }: Redemption): Promise<void> {
  if (await parts.tokens.redeem(code, given)) return;
  await endReusedGrant(parts, code);
  throw new errors.InvalidGrant("another request redeemed the code at the same time");
}

/**
 * Makes the adapter that stores codes and tokens. The provider checks whether a code was used, marks it, and stores
 * both tokens afterwards, the refresh token always last (COBS PDF 1.3.1). Two parallel calls would both pass. A failure
 * in between, or a wrong resource or certificate, which the provider finds after its mark, would leave a code that ends
 * its consent when sent again. So the code is marked here together with both tokens, and the second call is refused
 * (RFC 6749 4.1.2).
 */
export function createTokenAdapter(kind: string, parts: TokenAdapterParts): Adapter {
  const { tokens, redemptions } = parts;
  return {
    ...UNUSED_ADAPTER,
    async upsert(id, { jti: _, ...payload }, lifetimeSeconds) {
      const { grantId } = payload;
      if (grantId === undefined || lifetimeSeconds === undefined)
        throw new TypeError("a token must have a grant and a lifetime");
      const call = Provider.ctx;
      const redemption = call && redemptions.of(call);
      const key = { kind, id };
      if (call === undefined || redemption === undefined)
        return tokens.put(key, { ...payload, ...begunWith(kind) }, { grantId, lifetimeSeconds });
      const given = [...redemption.given, { key, payload, grantId, lifetimeSeconds }];
      redemptions.put(call, { ...redemption, given });
      if (kind !== "RefreshToken") return;
      requireCallerWaits(call);
      await redeem(parts, { ...redemption, given });
    },
    async find(id) {
      const key = { kind, id };
      const isRevocation = Provider.ctx?.oidc.route === "revocation";
      const found = await (isRevocation ? findToRevoke(parts, key) : findToUse(parts, key));
      if (found === undefined) return undefined;
      parts.consentsOfCalls.keep(found);
      // A used code ends its grant even if its application has moved up since.
      if (!found.consumed && isOutgrown(found.payload, Provider.ctx?.oidc.client)) return undefined;
      // In V8 of Node.js 20, members after a spread cost ten times as much; before it, stored members would override
      // them.
      return Object.assign({}, found.payload, { jti: id, consumed: found.consumed });
    },
    async consume(id) {
      const { ctx } = Provider;
      if (ctx === undefined) throw new TypeError("a code is used outside of a call");
      redemptions.put(ctx, { code: { kind, id }, given: [] });
    },
    // A refresh token is deleted by the statement that ends its consent, which `Grant.destroy` runs. Were it removed
    // here first, a failure between the two would leave tokens that repeating the call could not end.
    destroy: async (id) => {
      if (kind !== "RefreshToken") await tokens.remove({ kind, id }, parts.readAct());
    },
    revokeByGrantId: async () => {},
  };
}
