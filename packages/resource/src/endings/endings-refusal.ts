import { AuthAnswerRefusal } from "../auth-answers/auth-answer-refusal.ts";

/**
 * Why an answer of auth about endings is not believed:
 * - `stop_list_status`, `events_status`: another status than agreed
 * - `stop_list_malformed`, `events_malformed`: not fully readable; an unreadable list never counts as empty
 */
export type EndingsRefusalCode =
  | "stop_list_status"
  | "stop_list_malformed"
  | "events_status"
  | "events_malformed";

/** Refuses an answer of auth about endings that cannot be believed; `detail` is for the log. */
export class EndingsRefusal extends AuthAnswerRefusal<EndingsRefusalCode> {
  override readonly name = "EndingsRefusal";
}
