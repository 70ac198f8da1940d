import type { ApplicationId } from "@cobs/cobs-model";
import type { OrganisationIdentifier } from "@cobs/psd2-certificates";
import type { Database, Queries } from "@cobs/service-edge";
import type { Act } from "../audit/act.ts";
import { appendAudit } from "../audit/append-audit-postgres.ts";
import type { AuditSubject } from "../audit/audit-entry.ts";
import type { ConsentId } from "../consent/consent-id.ts";
import { endConsent } from "../consent/end-consents-postgres.ts";
import { appendEvents } from "../feed/append-events-postgres.ts";
import type { FeedEvent } from "../feed/feed-event.ts";
import { type HashPrefix, MODEL_OF, type TokenKind } from "./token-search.ts";
import { hashesWith, kindOfModel } from "./token-search-postgres.ts";

/** Whose codes and access tokens shall end. */
export type TokenHolder =
  | { readonly kind: "consent"; readonly id: ConsentId }
  | { readonly kind: "application"; readonly id: ApplicationId }
  | { readonly kind: "tpp"; readonly id: OrganisationIdentifier };

/** How many ended, and whether there may be more. */
export interface RevokedTokens {
  readonly accessTokens: number;
  readonly codes: number;
  readonly complete: boolean;
}

/** What became of the one token that a hash names. */
export type RevokedToken =
  | { readonly result: "revoked"; readonly kind: TokenKind; readonly consent: ConsentId }
  | { readonly result: "unknown" | "ambiguous" };

interface TokenRow {
  readonly kind: string;
  readonly id_hash: Buffer;
}

const BATCH_TOKENS = 500;
/** Most batches of one order: whoever gives it again goes on. */
const MAX_BATCHES = 20;

const CONDITION_OF: Readonly<Record<TokenHolder["kind"], string>> = {
  consent: "consent.id = $1",
  application: "consent.application_id = $1",
  tpp: "consent.organisation_identifier = $1",
};

// A token whose row somebody holds is just being ended, or redeemed: nobody waits for that, and so nobody in a circle.
const revoke = (kind: TokenHolder["kind"]) => `DELETE FROM token WHERE (kind, id_hash) IN (
    SELECT token.kind, token.id_hash FROM consent JOIN token ON token.grant_id = consent.id
    WHERE ${CONDITION_OF[kind]} AND token.kind IN ('AccessToken', 'AuthorizationCode')
    LIMIT ${BATCH_TOKENS} FOR UPDATE OF token SKIP LOCKED)
  RETURNING kind, id_hash`;

const FIND = `SELECT kind, id_hash, grant_id FROM token
  WHERE kind = ANY ($1::text[]) AND id_hash BETWEEN $2::bytea AND $3::bytea AND expires_at > now() LIMIT 2`;
const REMOVE = "DELETE FROM token WHERE kind = $1 AND id_hash = $2 RETURNING kind, id_hash";

const isAccessToken = ({ kind }: TokenRow) => kind === MODEL_OF.access_token;
const endingOf = ({ id_hash: hash }: TokenRow): FeedEvent => ({
  kind: "token",
  key: hash.toString("base64url"),
});

async function revokeBatch(queries: Queries, { kind, id }: TokenHolder, act: Act) {
  const statement = { name: `token-revoke-of-${kind}`, text: revoke(kind), values: [id] };
  const removed = await queries.run<TokenRow>(statement);
  const accessTokens = removed.filter(isAccessToken);
  const counts = { accessTokens: accessTokens.length, codes: removed.length - accessTokens.length };
  if (removed.length > 0)
    await appendAudit(queries, [{ act, action: "token.revoked", subject: { kind, id }, details: counts }]);
  await appendEvents(queries, accessTokens.map(endingOf));
  return counts;
}

/**
 * Ends the codes and access tokens of a consent, an application or a TPP, in small transactions, each told in the event
 * feed and recorded. Refresh tokens stay: they end with their consent. Not complete when there are very many.
 */
export async function revokeTokensOf(
  database: Database,
  holder: TokenHolder,
  act: Act,
): Promise<RevokedTokens> {
  const total = { accessTokens: 0, codes: 0 };
  for (let batch = 0; batch < MAX_BATCHES; batch += 1) {
    const ended = await database.transaction((queries) => revokeBatch(queries, holder, act));
    total.accessTokens += ended.accessTokens;
    total.codes += ended.codes;
    if (ended.accessTokens + ended.codes < BATCH_TOKENS) return { ...total, complete: true };
  }
  return { ...total, complete: false };
}

type FoundRow = TokenRow & { readonly grant_id: ConsentId };

async function revokeFound(queries: Queries, row: FoundRow, act: Act): Promise<RevokedToken> {
  const kind = kindOfModel(row.kind);
  const revoked = { result: "revoked", kind, consent: row.grant_id } as const;
  // As when its TPP revokes it (RFC 7009 2.1): the consent ends with everything that was given out under it.
  if (kind === "refresh_token") {
    const isEnded = await endConsent(queries, row.grant_id, { by: "bank", reason: "bank_revoked", act });
    return isEnded ? revoked : { result: "unknown" };
  }
  const values = [row.kind, row.id_hash];
  const removed = await queries.run<TokenRow>({ name: "token-revoke-one", text: REMOVE, values });
  if (removed.length === 0) return { result: "unknown" };
  const subject: AuditSubject = { kind: "consent", id: row.grant_id };
  await appendAudit(queries, [{ act, action: "token.revoked", subject, details: { kind } }]);
  await appendEvents(queries, removed.filter(isAccessToken).map(endingOf));
  return revoked;
}

/** Ends the one code or token whose hash begins so; with a refresh token, its consent. */
export function revokeTokenByHash(database: Database, prefix: HashPrefix, act: Act): Promise<RevokedToken> {
  return database.transaction(async (queries) => {
    const values = [Object.values(MODEL_OF), ...hashesWith(prefix)];
    const [found, another] = await queries.run<FoundRow>({ name: "token-revoke-find", text: FIND, values });
    if (found === undefined) return { result: "unknown" };
    if (another !== undefined) return { result: "ambiguous" };
    return revokeFound(queries, found, act);
  });
}
