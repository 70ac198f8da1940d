import { AuthAnswerRefusal } from "../auth-answers/auth-answer-refusal.ts";

/**
 * Why an answer of auth is not believed:
 * - `answer_status`: another status than 200, e.g. because auth does not know this caller
 * - `answer_unverified`: signature, algorithm, `typ`, `iss` or `aud` are not as agreed (RFC 9701 section 5)
 * - `answer_malformed`: signed by auth, but not the claims that were agreed
 * - `keys_unusable`: auth's key set is not a JWK Set (RFC 7517 section 5)
 */
export type IntrospectionRefusalCode =
  | "answer_status"
  | "answer_unverified"
  | "answer_malformed"
  | "keys_unusable";

/** Refuses an answer of auth that cannot be believed; `detail` is for the log. */
export class IntrospectionRefusal extends AuthAnswerRefusal<IntrospectionRefusalCode> {
  override readonly name = "IntrospectionRefusal";
}
