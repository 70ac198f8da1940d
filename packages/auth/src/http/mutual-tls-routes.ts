import type { HandedOverRoute, Route } from "@cobs/service-edge";
import type { AuthorizationServer } from "../provider/authorization-server.ts";
import { type AdmissionParts, admitClient } from "./admit-client.ts";
import { type ApplicationParts, createApplicationRoutes } from "./application-routes.ts";
import { replayRequest } from "./replay-request.ts";
import { withoutStructuredToken } from "./without-structured-token.ts";

/** What the mutual-TLS listener serves from. */
export interface MutualTlsParts extends AdmissionParts, ApplicationParts {
  readonly authorizationServer: AuthorizationServer;
  readonly issuer: string;
}

function handOverClient(parts: MutualTlsParts, path: string): HandedOverRoute {
  return {
    method: "POST",
    path,
    handOver: async (request, response, call) => {
      const { caller, form } = await admitClient(parts, call);
      const known = { caller, requestId: call.requestId, acceptLanguage: undefined };
      const replayed = replayRequest(request, withoutStructuredToken(form));
      await parts.authorizationServer.answer(replayed, response, known);
    },
  };
}

/** A TPP that sends the PSU to the API host is led to the browser host, whose pages ask for no certificate. */
function redirectToBrowserHost(issuer: string): Route {
  return {
    method: "GET",
    path: "/oauth/authorize",
    body: "none",
    handle: async (call) => {
      const [, query] = (call.exchange.request.url ?? "").split(/\?(.*)/s);
      return {
        status: 303,
        headers: {
          Location: new URL(query === undefined ? "/oauth/authorize" : `/oauth/authorize?${query}`, issuer)
            .href,
        },
      };
    },
  };
}

/** The routes of the mutual-TLS listener: applications, token, revocation. */
export function createMutualTlsRoutes(parts: MutualTlsParts): readonly (Route | HandedOverRoute)[] {
  return [
    ...createApplicationRoutes(parts),
    handOverClient(parts, "/oauth/token"),
    handOverClient(parts, "/oauth/revoke"),
    redirectToBrowserHost(parts.issuer),
  ];
}
