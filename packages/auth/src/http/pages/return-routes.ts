import type { Route } from "@cobs/service-edge";
import { PendingAuthorizationGone } from "../../journey/pending-authorization.ts";
import { findReturnPurpose, placeOf } from "../../sign-in/sign-in-purpose.ts";
import { type AnswerPageParts, answerPage } from "./answer-page.ts";

/** Path to which a login elsewhere returns every browser: the one address registered there. */
export const RETURN_PATH = "/sign-in/return";

/**
 * Makes the route that redirects a return to the page where the sign-in began, with its query: that page has the cookie
 * that tells whether the return belongs to this browser. The `state` selects from a closed set of our pages.
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
