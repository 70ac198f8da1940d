import type { IncomingMessage, ServerResponse } from "node:http";
import {
  type FailedCall,
  type HandedOverRoute,
  type IncomingCall,
  type PresentedError,
  type Route,
  requireBankCaller,
} from "@cobs/service-edge";
import type { RateLimits } from "../limits/rate-limits.ts";
import type { AuthorizationServer } from "../provider/authorization-server.ts";
import { createCardConsentRoute } from "./card-consent-routes.ts";
import { certificateOf } from "./certificate-of.ts";
import { createFeedRoutes, type FeedParts } from "./feed-routes.ts";
import { createOperatorRoutes, type OperatorParts } from "./operator/operator-routes.ts";
import { presentProblem } from "./operator/present-problem.ts";
import { presentOAuthError } from "./present-oauth-error.ts";
import { readForm } from "./read-form.ts";
import { replayRequest } from "./replay-request.ts";
import { createSigningRoutes, type SigningParts } from "./signing-routes.ts";
import { withoutStructuredToken } from "./without-structured-token.ts";

/** What the routes of the bank listener need. */
export type BankParts = OperatorParts &
  FeedParts & {
    readonly authorizationServer: AuthorizationServer;
    readonly limits: RateLimits;
    readonly signing: SigningParts;
  };

/**
 * Makes the routes of the bank listener: introspection and the keys that sign its answers, consents to card issuers,
 * the feed, signing, operators.
 */
export function createBankRoutes(parts: BankParts): readonly (Route | HandedOverRoute)[] {
  const { authorizationServer, callers, feed, limits } = parts;
  const handOver = (request: IncomingMessage, response: ServerResponse, call: IncomingCall) => {
    const name = requireBankCaller(callers, call.presentedCertificate, "introspect");
    const caller = { kind: "bank", name, certificate: certificateOf(call) } as const;
    const { requestId, note } = call;
    const known = { caller, requestId, note, acceptLanguage: undefined };
    return authorizationServer.answer(request, response, known);
  };
  return [
    {
      method: "POST",
      path: "/oauth/introspect",
      handOver: async (request, response, call) => {
        const caller = requireBankCaller(callers, call.presentedCertificate, "introspect");
        const form = withoutStructuredToken(await readForm(request));
        // Read before the token is looked up, so that whatever ends the token from now on has a later position.
        const counted = { limit: "introspect_caller", of: caller } as const;
        const position = await limits.countWhile([counted], () => feed.head());
        response.setHeader("Feed-Position", String(position));
        await handOver(replayRequest(request, form), response, call);
      },
    },
    { method: "GET", path: "/oauth/jwks", handOver },
    createCardConsentRoute(parts),
    ...createFeedRoutes(parts),
    ...createSigningRoutes(callers, parts.signing),
    ...createOperatorRoutes(parts),
  ];
}

/** Presents errors: problem details (RFC 9457) to operators, OAuth errors to services. */
export function presentBankError(error: unknown, call: FailedCall): PresentedError {
  return call.path.startsWith("/operator/") ? presentProblem(error, call) : presentOAuthError(error, call);
}
