import { AuthAnswerRefusal } from "../auth-answers/auth-answer-refusal.ts";

/**
 * Why an answer of auth about an approval is not believed:
 * - `answer_status`: another status than agreed
 * - `answer_malformed`: not fully readable
 * - `answer_of_other`: about another payment or request, or about other bytes than were sent
 */
export type SigningRefusalCode = "answer_status" | "answer_malformed" | "answer_of_other";

/** Refuses an answer of auth about an approval that cannot be believed; `detail` is for the log. */
export class SigningRefusal extends AuthAnswerRefusal<SigningRefusalCode> {
  override readonly name = "SigningRefusal";
}
