import { AuthAnswerRefusal } from "../auth-answers/auth-answer-refusal.ts";

/**
 * Why what auth says about an approval is not believed:
 * - `answer_status`: another status than agreed
 * - `answer_malformed`: not wholly readable
 * - `answer_of_other`: about another payment or request, or of other bytes than were sent
 */
export type SigningRefusalCode = "answer_status" | "answer_malformed" | "answer_of_other";

/** Refuses to believe what auth says about an approval; `detail` is for the log. */
export class SigningRefusal extends AuthAnswerRefusal<SigningRefusalCode> {
  override readonly name = "SigningRefusal";
}
