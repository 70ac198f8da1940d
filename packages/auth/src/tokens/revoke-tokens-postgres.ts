import type { ApplicationId } from "@cobs/cobs-model";
import type { OrganisationIdentifier } from "@cobs/psd2-certificates";
import type { Database, Queries, Statement } from "@cobs/service-edge";
import type { Act } from "../audit/act.ts";
import { appendAudit } from "../audit/append-audit-postgres.ts";
import type { AuditSubject } from "../audit/audit-entry.ts";
import type { ConsentId } from "../consent/consent-id.ts";
import { endConsent } from "../consent/end-consents-postgres.ts";
import { appendEvents } from "../feed/append-events-postgres.ts";
import type { FeedEvent } from "../feed/feed-event.ts";
import { type HashPrefix, MODEL_OF, type TokenKind } from "./token-search.ts";
import { hashesWith, kindOfModel } from "./token-search-postgres.ts";

/** Whose codes and access tokens are to end. */
export type TokenHolder =
  | { readonly kind: "consent"; readonly id: ConsentId }
  | { readonly kind: "application"; readonly id: ApplicationId }
  | { readonly kind: "tpp"; readonly id: OrganisationIdentifier };

/** How many ended, and whether that was all. */
export interface RevokedTokens {
  readonly accessTokens: number;
  readonly codes: number;
  readonly complete: boolean;
  /** While not complete, the consent after which the next order continues. */
  readonly next?: ConsentId;
}

/** Result of revoking the one token that a hash identifies. */
export type RevokedToken =
  | { readonly result: "revoked"; readonly kind: TokenKind; readonly consent: ConsentId }
  | { readonly result: "unknown" | "ambiguous" };

interface TokenRow {
  readonly kind: string;
  readonly id_hash: Buffer;
}

const BATCH_CONSENTS = 500;
/** Most batches per order; the next order continues. */
const MAX_BATCHES = 20;

type HolderOfMany = Exclude<TokenHolder, { readonly kind: "consent" }>;

const CONDITION_OF: Readonly<Record<HolderOfMany["kind"], string>> = {
  application: "application_id = $1",
  tpp: "organisation_identifier = $1",
};

// In the order of the index on consents that have not ended, each page after the last: the consents of a holder of a
// million are read once.
const page = (
  kind: HolderOfMany["kind"],
) => `SELECT id FROM consent WHERE ${CONDITION_OF[kind]} AND ended_at IS NULL AND id > $2
  ORDER BY id LIMIT ${BATCH_CONSENTS}`;

// A token whose row is locked is just being ended or redeemed; it is skipped, which also rules out deadlocks. A used
// code stays: it opens nothing, and ends its consent when it comes again.
const REVOKE = `DELETE FROM token WHERE (kind, id_hash) IN (
    SELECT kind, id_hash FROM token
    WHERE grant_id = ANY ($1::text[]) AND kind IN ('AccessToken', 'AuthorizationCode') AND consumed_at IS NULL
    FOR UPDATE SKIP LOCKED)
  RETURNING kind, id_hash`;

// Includes expired ones: should a clock go back, they must not become active again.
const FIND = `SELECT kind, id_hash, grant_id, expires_at > now() AS in_force FROM token
  WHERE kind = ANY ($1::text[]) AND id_hash BETWEEN $2::bytea AND $3::bytea AND consumed_at IS NULL LIMIT 2`;
const REMOVE = "DELETE FROM token WHERE kind = $1 AND id_hash = $2 RETURNING kind, id_hash";

const isAccessToken = ({ kind }: TokenRow) => kind === MODEL_OF.access_token;
const nameOf = ({ id_hash: hash }: TokenRow) => hash.toString("base64url");
const endingOf = (row: TokenRow): FeedEvent => ({ kind: "token", key: nameOf(row) });

/** A batch of consents of one holder. */
interface Batch {
  readonly holder: TokenHolder;
  readonly consents: readonly ConsentId[];
}

async function revokeBatch(queries: Queries, { holder: { kind, id }, consents }: Batch, act: Act) {
  const statement = { name: "token-revoke-batch", text: REVOKE, values: [consents] };
  const removed = await queries.run<TokenRow>(statement);
  const accessTokens = removed.filter(isAccessToken);
  const counts = { accessTokens: accessTokens.length, codes: removed.length - accessTokens.length };
  if (removed.length > 0)
    await appendAudit(queries, [{ act, action: "token.revoked", subject: { kind, id }, details: counts }]);
  await appendEvents(queries, accessTokens.map(endingOf));
  return counts;
}

/** The statement that reads a holder's next consents. */
export function holderPageStatement({ kind, id }: HolderOfMany, after: string): Statement {
  return { name: `token-revoke-consents-of-${kind}`, text: page(kind), values: [id, after] };
}

async function readConsents(queries: Queries, holder: TokenHolder, after: string) {
  if (holder.kind === "consent") return [holder.id];
  const rows = await queries.run<{ readonly id: ConsentId }>(holderPageStatement(holder, after));
  return rows.map(({ id }) => id);
}

/**
 * Ends the codes and access tokens of a consent, an application or a TPP, in small transactions, each with its events
 * and audit entries. Refresh tokens stay: they end with their consent. With very many consents one call is not enough:
 * the result then says after which consent, in the order of ids, the next call continues.
 */
export async function revokeTokensOf(
  database: Database,
  { after, ...holder }: TokenHolder & { readonly after?: ConsentId | undefined },
  act: Act,
): Promise<RevokedTokens> {
  const total = { accessTokens: 0, codes: 0 };
  let next = after;
  for (let batch = 0; batch < MAX_BATCHES; batch += 1) {
    const consents = await readConsents(database, holder, next ?? "");
    const ended = await database.transaction((queries) => revokeBatch(queries, { holder, consents }, act));
    total.accessTokens += ended.accessTokens;
    total.codes += ended.codes;
    if (consents.length < BATCH_CONSENTS) return { ...total, complete: true };
    next = consents.at(-1);
  }
  return { ...total, complete: false, ...(next !== undefined && { next }) };
}

type FoundRow = TokenRow & { readonly grant_id: ConsentId; readonly in_force: boolean };

async function revokeFound(queries: Queries, row: FoundRow, act: Act): Promise<RevokedToken> {
  const kind = kindOfModel(row.kind);
  const revoked = { result: "revoked", kind, consent: row.grant_id } as const;
  // As when its TPP revokes it (RFC 7009 2.1): the consent ends, with all its codes and tokens.
  if (kind === "refresh_token") {
    const isEnded = await endConsent(queries, row.grant_id, { by: "bank", reason: "bank_revoked", act });
    return isEnded ? revoked : { result: "unknown" };
  }
  const values = [row.kind, row.id_hash];
  const removed = await queries.run<TokenRow>({ name: "token-revoke-one", text: REMOVE, values });
  if (removed.length === 0) return { result: "unknown" };
  const subject: AuditSubject = { kind: "token", id: nameOf(row) };
  const details = { kind: row.kind, consent: row.grant_id };
  await appendAudit(queries, [{ act, action: "token.revoked", subject, details }]);
  await appendEvents(queries, removed.filter(isAccessToken).map(endingOf));
  return row.in_force ? revoked : { result: "unknown" };
}

/**
 * Ends the one code or token whose hash has a prefix; for a refresh token, its consent. An expired or used one is
 * `unknown`.
 */
export function revokeTokenByHash(database: Database, prefix: HashPrefix, act: Act): Promise<RevokedToken> {
  return database.transaction(async (queries) => {
    const values = [Object.values(MODEL_OF), ...hashesWith(prefix)];
    const [found, another] = await queries.run<FoundRow>({ name: "token-revoke-find", text: FIND, values });
    if (found === undefined) return { result: "unknown" };
    if (another !== undefined) return { result: "ambiguous" };
    return revokeFound(queries, found, act);
  });
}
