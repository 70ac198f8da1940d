import { AuthAnswerRefusal } from "../auth-answers/auth-answer-refusal.ts";

/**
 * Why what auth tells by itself is not believed:
 * - `stop_list_status`, `events_status`: another status than agreed
 * - `stop_list_malformed`, `events_malformed`: not wholly readable; an unreadable list is never an empty one
 */
export type EndingsRefusalCode =
  | "stop_list_status"
  | "stop_list_malformed"
  | "events_status"
  | "events_malformed";

/** Refuses to believe what auth tells; `detail` is for the log. */
export class EndingsRefusal extends AuthAnswerRefusal<EndingsRefusalCode> {
  override readonly name = "EndingsRefusal";
}
