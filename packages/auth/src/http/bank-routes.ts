import type { IncomingMessage, ServerResponse } from "node:http";
import {
  type BankCallers,
  type HandedOverRoute,
  type IncomingCall,
  requireBankCaller,
} from "@cobs/service-edge";
import type { AuthorizationServer } from "../provider/authorization-server.ts";
import { certificateOf } from "./certificate-of.ts";
import { readForm } from "./read-form.ts";
import { replayRequest } from "./replay-request.ts";
import { withoutStructuredToken } from "./without-structured-token.ts";

/** What the bank listener serves from. */
export interface BankParts {
  readonly authorizationServer: AuthorizationServer;
  readonly callers: BankCallers;
}

/** The routes of the bank listener: introspection, and the keys that its answers are signed with. */
export function createBankRoutes({ authorizationServer, callers }: BankParts): readonly HandedOverRoute[] {
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
  ];
}
