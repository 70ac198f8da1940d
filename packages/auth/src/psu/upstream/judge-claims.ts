import { type PsuId, parsePsuId } from "@cobs/cobs-model";
import { UpstreamRefusal } from "./upstream-refusal.ts";
import type { UpstreamSettings } from "./upstream-settings.ts";

/** What an ID token says, whose issuer, audience, nonce, lifetime and signature are proven. */
export type ProvenClaims = Readonly<Record<string, unknown>>;

/** Somebody whom the bank's provider has just authenticated strongly. */
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

/** Strong authentication is for what the PSU does now; the same time as within which it serves an order. */
const FRESH_SECONDS = 300;
/** By so much may the clocks of two servers of a bank differ. */
const CLOCK_SKEW_SECONDS = 30;
const MAX_NAME_CHARACTERS = 200;

/**
 * Who it is, when they were authenticated for us, strongly, and just now. Refuses with `answer_untrusted`, `psu_unusable`, and
 * then naming the PSU with `acr_insufficient`, `not_fresh`.
 */
export function judgeClaims(
  claims: ProvenClaims,
  settings: Pick<UpstreamSettings, "clientId" | "acrValues" | "psuClaim" | "nameClaim">,
  between: JudgedBetween,
): UpstreamPerson {
  requireOurs(claims, settings.clientId);
  const psu = requirePsu(claims[settings.psuClaim]);
  requireStrong({ claims, psu }, settings.acrValues);
  const authenticatedAt = requireFresh({ claims, psu }, between);
  return { psu, displayName: displayNameOf(claims[settings.nameClaim]) ?? psu, authenticatedAt };
}

/** Who was authenticated for another client is not here, also where the audience is ours alone (OIDC Core 3.1.3.7, point 5). */
function requireOurs({ azp }: ProvenClaims, clientId: string): void {
  if (azp !== undefined && azp !== clientId)
    throw new UpstreamRefusal("answer_untrusted", "azp (authorized party) is not this client");
}

/** What is said, and of whom. */
interface NamedClaims {
  readonly claims: ProvenClaims;
  readonly psu: PsuId;
}

/** A provider need not fulfil what was asked voluntarily (OIDC Core 5.5.1.1), so that its answer alone counts. */
function requireStrong({ claims: { acr }, psu }: NamedClaims, acrValues: readonly string[]): void {
  if (typeof acr !== "string" || !acrValues.includes(acr))
    throw new UpstreamRefusal(
      "acr_insufficient",
      acr === undefined ? "no acr" : `acr ${JSON.stringify(acr)}`,
      psu,
    );
}

/** Neither an old sign-in nor one from before the question: some providers overlook `prompt` and `max_age`. */
function requireFresh({ claims, psu }: NamedClaims, { askedAt, now }: JudgedBetween): Date {
  const { auth_time: at } = claims;
  if (typeof at !== "number" || !Number.isFinite(at))
    throw new UpstreamRefusal("not_fresh", "no auth_time", psu);
  const seconds = now.getTime() / 1000;
  // `auth_time` has whole seconds: the second of the question is not over yet.
  const earliest = Math.max(
    seconds - FRESH_SECONDS,
    Math.floor(askedAt.getTime() / 1000) - CLOCK_SKEW_SECONDS,
  );
  if (at < earliest || at > seconds + CLOCK_SKEW_SECONDS)
    throw new UpstreamRefusal("not_fresh", `auth_time is ${Math.round(at - seconds)} s from now`, psu);
  return new Date(Math.min(at * 1000, now.getTime()));
}

function requirePsu(claim: unknown): PsuId {
  try {
    return parsePsuId(claim);
  } catch {
    throw new UpstreamRefusal(
      "psu_unusable",
      "the claim with the PSU is absent, or no text of 1 to 64 letters, digits, - and _",
    );
  }
}

/** Text of the bank's own, yet not ours: bounded here, made fit to be read by the pages. */
function displayNameOf(claim: unknown): string | undefined {
  if (typeof claim !== "string") return undefined;
  // PostgreSQL stores no NUL, and by way of UTF-8 there is no half of a pair.
  const name = Buffer.from(claim.slice(0, MAX_NAME_CHARACTERS).replaceAll("\0", "")).toString().trim();
  return name === "" ? undefined : name;
}
