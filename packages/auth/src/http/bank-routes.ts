import type { IncomingMessage, ServerResponse } from "node:http";
import {
  type FailedCall,
  type HandedOverRoute,
  type IncomingCall,
  type PresentedError,
  type Route,
  requireBankCaller,
} from "@cobs/service-edge";
import type { AuthorizationServer } from "../provider/authorization-server.ts";
import type { StopListKey } from "../tpp/stop-list.ts";
import { certificateOf } from "./certificate-of.ts";
import { createOperatorRoutes, type OperatorParts } from "./operator-routes.ts";
import { presentOAuthError } from "./present-oauth-error.ts";
import { presentProblem } from "./present-problem.ts";
import { readForm } from "./read-form.ts";
import { replayRequest } from "./replay-request.ts";
import { withoutStructuredToken } from "./without-structured-token.ts";

/** What the bank listener serves from. */
export interface BankParts extends OperatorParts {
  readonly authorizationServer: AuthorizationServer;
}

/** What is blocked now and from which position of the event feed on to follow its changes. */
function stopListRoute({ callers, stopList }: Pick<BankParts, "callers" | "stopList">): Route {
  return {
    method: "GET",
    path: "/stop-list",
    body: "none",
    handle: async (call) => {
      requireBankCaller(callers, call.presentedCertificate, "feed");
      const { position, keys } = await stopList.blockedKeys();
      const keysOf = (kind: StopListKey["kind"]) =>
        keys.filter((each) => each.kind === kind).map(({ key }) => key);
      const json = { organisationIdentifiers: keysOf("organisation"), thumbprints: keysOf("certificate") };
      return { status: 200, json: { position, ...json } };
    },
  };
}

/** The routes of the bank listener: introspection and the keys that its answers are signed with, the stop list, operators. */
export function createBankRoutes(parts: BankParts): readonly (Route | HandedOverRoute)[] {
  const { authorizationServer, callers } = parts;
  const handOver = (request: IncomingMessage, response: ServerResponse, call: IncomingCall) => {
    const name = requireBankCaller(callers, call.presentedCertificate, "introspect");
    const caller = { kind: "bank", name, certificate: certificateOf(call) } as const;
    const known = { caller, requestId: call.requestId, acceptLanguage: undefined };
    return authorizationServer.answer(request, response, known);
  };
  return [
    {
      method: "POST",
      path: "/oauth/introspect",
      handOver: async (request, response, call) => {
        requireBankCaller(callers, call.presentedCertificate, "introspect");
        const form = withoutStructuredToken(await readForm(request));
        await handOver(replayRequest(request, form), response, call);
      },
    },
    { method: "GET", path: "/oauth/jwks", handOver },
    stopListRoute(parts),
    ...createOperatorRoutes(parts),
  ];
}

/** Operators are people and get problem details (RFC 9457); services get the errors of OAuth. */
export function presentBankError(error: unknown, call: FailedCall): PresentedError {
  return call.path.startsWith("/operator/") ? presentProblem(error, call) : presentOAuthError(error, call);
}
