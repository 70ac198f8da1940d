import { type PsuId, parsePsuId } from "@cobs/cobs-model";
import { UpstreamRefusal } from "./upstream-refusal.ts";
import type { UpstreamSettings } from "./upstream-settings.ts";

/** The claims of an ID token whose issuer, audience, nonce, lifetime and signature are proven. */
export type ProvenClaims = Readonly<Record<string, unknown>>;

/** A PSU whom the bank's provider has just authenticated strongly. */
export interface UpstreamPerson {
  readonly psu: PsuId;
  readonly displayName: string;
  /** By the provider's clock, and not later than its answer by ours. */
  readonly authenticatedAt: Date;
}

/** When the provider was asked, and when its answer is judged. */
export interface JudgedBetween {
  readonly askedAt: Date;
  readonly now: Date;
}

/** Greatest age of an authentication, which must be for what the PSU does now. An order accepts the same age. */
const FRESH_SECONDS = 300;
/** How far the clocks of two servers of a bank may differ. */
const CLOCK_SKEW_SECONDS = 30;
const MAX_NAME_CHARACTERS = 200;

/**
 * Determines who the PSU is and when they were authenticated: for us, strongly, and just now. Refuses with `answer_untrusted` and
 * `psu_unusable`, and, naming the PSU, with `acr_insufficient` and `not_fresh`.
 */
export function judgeClaims(
  claims: ProvenClaims,
  settings: Pick<UpstreamSettings, "clientId" | "acrValues" | "psuClaim" | "nameClaim">,
  between: JudgedBetween,
): UpstreamPerson {
  requireOurs(claims, settings.clientId);
  requireIssuedNow(claims, between);
  const psu = requirePsu(claims[settings.psuClaim]);
  requireStrong({ claims, psu }, settings.acrValues);
  const authenticatedAt = requireFresh({ claims, psu }, between);
  return { psu, displayName: displayNameOf(claims[settings.nameClaim]) ?? psu, authenticatedAt };
}

/** Refuses an authentication for another client, even when the audience is ours alone (OIDC Core 3.1.3.7, point 5). */
function requireOurs({ azp }: ProvenClaims, clientId: string): void {
  if (azp !== undefined && azp !== clientId)
    throw new UpstreamRefusal("answer_untrusted", "azp (authorized party) is not this client");
}

/** Refuses an ID token that cannot be an answer to the question, although it has its nonce (OIDC Core 3.1.3.7, point 10). */
function requireIssuedNow({ iat }: ProvenClaims, between: JudgedBetween): void {
  if (typeof iat !== "number" || !Number.isFinite(iat))
    throw new UpstreamRefusal("answer_untrusted", "iat is missing or not a number");
  const { seconds, asked } = inSeconds(between);
  // Tokens are issued as we redeem a code: the seconds tell an operator how far the provider's clock is off.
  if (iat < asked - CLOCK_SKEW_SECONDS)
    throw new UpstreamRefusal(
      "answer_untrusted",
      `iat is before the question, ${Math.round(seconds - iat)} s in the past`,
    );
  if (iat > seconds + CLOCK_SKEW_SECONDS)
    throw new UpstreamRefusal("answer_untrusted", `iat is ${Math.round(iat - seconds)} s in the future`);
}

/** The times of question and judgement as claims have them. The second of the question is not over yet. */
function inSeconds({ askedAt, now }: JudgedBetween) {
  return { seconds: now.getTime() / 1000, asked: Math.floor(askedAt.getTime() / 1000) };
}

/** Claims, and the PSU whom they name. */
interface NamedClaims {
  readonly claims: ProvenClaims;
  readonly psu: PsuId;
}

/** A provider need not fulfil a voluntary request (OIDC Core 5.5.1.1), so that its answer alone counts. */
function requireStrong({ claims: { acr }, psu }: NamedClaims, acrValues: readonly string[]): void {
  if (typeof acr !== "string" || !acrValues.includes(acr))
    throw new UpstreamRefusal(
      "acr_insufficient",
      acr === undefined ? "acr is missing" : `acr ${JSON.stringify(acr)}`,
      psu,
    );
}

/** Refuses an old sign-in and one from before the question: some providers overlook `prompt` and `max_age`. */
function requireFresh({ claims, psu }: NamedClaims, between: JudgedBetween): Date {
  const { auth_time: at } = claims;
  if (typeof at !== "number" || !Number.isFinite(at))
    throw new UpstreamRefusal("not_fresh", "auth_time is missing or not a number", psu);
  const { seconds, asked } = inSeconds(between);
  const earliest = Math.max(seconds - FRESH_SECONDS, asked - CLOCK_SKEW_SECONDS);
  if (at < earliest || at > seconds + CLOCK_SKEW_SECONDS)
    throw new UpstreamRefusal(
      "not_fresh",
      `auth_time differs from the present time by ${Math.round(at - seconds)} s`,
      psu,
    );
  return new Date(Math.min(at * 1000, between.now.getTime()));
}

function requirePsu(claim: unknown): PsuId {
  try {
    return parsePsuId(claim);
  } catch {
    throw new UpstreamRefusal(
      "psu_unusable",
      "the claim with the PSU's id is missing or is not a string of 1 to 64 letters, digits, - and _",
    );
  }
}

/** The name to greet the PSU with. The text is the bank's and not ours, so it is bounded here and made fit for the pages. */
function displayNameOf(claim: unknown): string | undefined {
  if (typeof claim !== "string") return undefined;
  // PostgreSQL stores no NUL; the way through UTF-8 replaces half of a surrogate pair.
  const name = Buffer.from(claim.slice(0, MAX_NAME_CHARACTERS).replaceAll("\0", "")).toString().trim();
  return name === "" ? undefined : name;
}
