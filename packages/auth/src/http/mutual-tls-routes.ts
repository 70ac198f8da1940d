import type { HandedOverRoute, Route } from "@cobs/service-edge";
import type { AuthorizationServer } from "../provider/authorization-server.ts";
import { type AdmissionParts, admitClient, type ClientEndpoint } from "./admit-client.ts";
import { type ApplicationParts, createApplicationRoutes } from "./application-routes.ts";
import { readPushedParameters } from "./authorization-parameters.ts";
import { replayRequest } from "./replay-request.ts";
import { withScopesInLowerCase } from "./with-scopes-in-lower-case.ts";
import { withoutStructuredToken } from "./without-structured-token.ts";

/** What the routes of the mutual-TLS listener need. */
export interface MutualTlsParts extends AdmissionParts, ApplicationParts {
  readonly authorizationServer: AuthorizationServer;
  readonly issuer: string;
}

/** A client endpoint of the provider, and how its form is prepared. */
interface HandedOverEndpoint extends ClientEndpoint {
  readonly path: string;
  readonly prepare: (form: URLSearchParams) => URLSearchParams;
}

/** Revocation must be certain where a call authorizes, or exchanges a code for tokens; elsewhere the grace period suffices. */
const ENDPOINTS: readonly HandedOverEndpoint[] = [
  {
    path: "/oauth/token",
    limits: { tpp: "token_tpp", application: "token_application" },
    demandOf: (form) => (form.getAll("grant_type").includes("authorization_code") ? "certain" : "known"),
    demandsProfile: true,
    clientIdPlace: "the body, or in Authorization: Basic",
    prepare: withScopesInLowerCase,
  },
  {
    path: "/oauth/par",
    limits: { tpp: "par_tpp", application: "par_application" },
    demandOf: () => "certain",
    demandsProfile: true,
    clientIdPlace: "the body",
    prepare: readPushedParameters,
  },
  {
    path: "/oauth/revoke",
    limits: { tpp: "revoke_tpp", application: "revoke_application" },
    demandOf: () => "known",
    demandsProfile: false,
    clientIdPlace: "the body, or in Authorization: Basic",
    prepare: withoutStructuredToken,
  },
];

function handOverClient(parts: MutualTlsParts, endpoint: HandedOverEndpoint): HandedOverRoute {
  return {
    method: "POST",
    path: endpoint.path,
    handOver: async (request, response, call) => {
      const { caller, application, form, countedApplication } = await admitClient(parts, call, endpoint);
      const { requestId, note } = call;
      const known = { caller, application, requestId, note, acceptLanguage: undefined };
      const replayed = replayRequest(request, endpoint.prepare(form));
      await parts.authorizationServer.answer(replayed, response, known);
      // RFC 6749 5.2: the client failed to authenticate, the only meaning of 401 at these endpoints.
      if (response.statusCode === 401) await parts.limits.penalise([countedApplication]);
    },
  };
}

/** Redirects a PSU whom a TPP sent to the API host to the browser host, whose pages ask for no certificate. */
function redirectToBrowserHost(issuer: string): Route {
  return {
    method: "GET",
    path: "/oauth/authorize",
    handle: async (call) => {
      // The raw query, not the parsed one, so that it is passed on unchanged.
      const [, query] = (call.exchange.request.url ?? "").split(/\?(.*)/s);
      const address = query === undefined ? "/oauth/authorize" : `/oauth/authorize?${query}`;
      return { status: 303, headers: { Location: new URL(address, issuer).href } };
    },
  };
}

/** Makes the routes of the mutual-TLS listener: applications, token, pushed requests, revocation. */
export function createMutualTlsRoutes(parts: MutualTlsParts): readonly (Route | HandedOverRoute)[] {
  return [
    ...createApplicationRoutes(parts),
    ...ENDPOINTS.map((endpoint) => handOverClient(parts, endpoint)),
    redirectToBrowserHost(parts.issuer),
  ];
}
