import type { Route } from "@cobs/service-edge";
import { PendingAuthorizationGone } from "../../journey/pending-authorization.ts";
import { findReturnPurpose, placeOf } from "../../sign-in/sign-in-purpose.ts";
import { type AnswerPageParts, answerPage } from "./answer-page.ts";

/** Where a login elsewhere sends every browser back to: the one address that is registered there. */
export const RETURN_PATH = "/sign-in/return";

/**
 * Leads a way back to the place where it began, with everything that it carries: that place has the cookie which tells
 * whether the way is this browser's own. The `state` chooses from a closed set of places of ours.
 */
export function createReturnRoutes(parts: AnswerPageParts): readonly Route[] {
  return [
    {
      method: "GET",
      path: RETURN_PATH,
      handle: (call) =>
        answerPage(parts, call, async () => {
          const purpose = findReturnPurpose(call.query.get("state") ?? "");
          if (purpose === undefined) throw new PendingAuthorizationGone();
          const location = `${placeOf(purpose)}/return?${call.query}`;
          return { show: "nothing", location, path: RETURN_PATH };
        }),
    },
  ];
}
