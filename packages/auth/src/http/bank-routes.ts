import {
  type BankCallers,
  type BankRight,
  type HandedOverRoute,
  requireBankCaller,
} from "@cobs/service-edge";
import type { AuthorizationServer } from "../provider/authorization-server.ts";
import { certificateOf } from "./certificate-of.ts";

/** What the bank listener serves from. */
export interface BankParts {
  readonly authorizationServer: AuthorizationServer;
  readonly callers: BankCallers;
}

/** The routes of the bank listener: introspection, and the keys that its answers are signed with. */
export function createBankRoutes({ authorizationServer, callers }: BankParts): readonly HandedOverRoute[] {
  const handOver =
    (right: BankRight): HandedOverRoute["handOver"] =>
    async (request, response, call) => {
      const name = requireBankCaller(callers, call.presentedCertificate, right);
      const caller = { kind: "bank", name, certificate: certificateOf(call) } as const;
      await authorizationServer.answer(request, response, {
        caller,
        requestId: call.requestId,
        acceptLanguage: undefined,
      });
    };
  return [
    { method: "POST", path: "/oauth/introspect", handOver: handOver("introspect") },
    { method: "GET", path: "/oauth/jwks", handOver: handOver("introspect") },
  ];
}
