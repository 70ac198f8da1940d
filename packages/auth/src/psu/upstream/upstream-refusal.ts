import type { PsuId } from "@cobs/cobs-model";

/**
 * Reasons why a sign-in at the bank's provider does not count; for the log and the figures alone, because the PSU reads one sentence for all of them.
 * - `declined`: as the browser says, the provider authenticated nobody: the PSU gave up, or the provider cannot or will not do
 *   what was asked, at the moment or ever (RFC 6749 4.1.2.1, OIDC Core 3.1.2.6)
 * - `code_refused`: the provider does not accept its own code, or no longer does (RFC 6749 5.2)
 * - `answer_untrusted`: issuer, audience, `azp`, nonce, time, algorithm, signature, form or the published keys are wrong (OIDC
 *   Core 3.1.3.7)
 * - `acr_insufficient`: `acr` is absent, or no value that stands for strong authentication (RTS Article 4)
 * - `not_fresh`: `auth_time` is absent, older than five minutes, or from before the question
 * - `psu_unusable`: the claim with the PSU is absent or not an id of a PSU
 */
export const UPSTREAM_REFUSAL_CODES = [
  "declined",
  "code_refused",
  "answer_untrusted",
  "acr_insufficient",
  "not_fresh",
  "psu_unusable",
] as const;

/** One of {@link UPSTREAM_REFUSAL_CODES}. */
export type UpstreamRefusalCode = (typeof UPSTREAM_REFUSAL_CODES)[number];

const MAX_DETAIL_CHARACTERS = 200;

/**
 * A sign-in elsewhere that did not convince. `detail` has no token and no claim of a person. `psu` is whom the provider names,
 * when its word is proven: for the audit log alone.
 */
export class UpstreamRefusal extends Error {
  override readonly name = "UpstreamRefusal";
  readonly code: UpstreamRefusalCode;
  readonly psu: PsuId | undefined;

  constructor(code: UpstreamRefusalCode, detail: string, psu?: PsuId) {
    super(detail.slice(0, MAX_DETAIL_CHARACTERS));
    this.code = code;
    this.psu = psu;
  }
}
