import type { Scope } from "@cobs/cobs-model";
import type { InterfaceHosts } from "@cobs/cobs-model/openapi";
import type { HandedOverRoute, IncomingCall, Route } from "@cobs/service-edge";
import type { AuthorizationServer } from "../provider/authorization-server.ts";
import { ClientRefusal } from "../provider/client-refusal.ts";
import { routesOfApplications } from "./application-routes.ts";
import { readAuthorizationAddress } from "./authorization-address.ts";
import { basicChallenge } from "./basic-challenge.ts";
import { type CountingParts, countAuthorization, countPage } from "./count-visits.ts";
import { presentDiscovery } from "./discovery-document.ts";
import { presentOAuthErrorAnswer } from "./oauth-error.ts";
import { presentOAuthError } from "./present-oauth-error.ts";
import { createSecurityTextRoutes, type SecurityTextParts } from "./security-text.ts";

/** What the routes of the browser listener need. */
export interface BrowserParts extends CountingParts, SecurityTextParts {
  readonly authorizationServer: AuthorizationServer;
  readonly hosts: InterfaceHosts;
  readonly requiresFapi2: () => boolean;
  /** The scopes that an application can get at this bank. */
  readonly offeredScopes: readonly Scope[];
  readonly pageRoutes: readonly Route[];
}

const DISCOVERY_PATHS = ["/.well-known/oauth-authorization-server", "/.well-known/openid-configuration"];

function discoveryRoute(path: string, { hosts, requiresFapi2, offeredScopes }: BrowserParts): Route {
  const handle: Route["handle"] = async () => ({
    status: 200,
    json: presentDiscovery(hosts, requiresFapi2(), offeredScopes),
  });
  return { method: "GET", path, handle };
}

const TOKEN_ENDPOINTS = ["/oauth/token", "/oauth/par", "/oauth/revoke"];
const REFUSAL = "certificate_required";

/** Tells programs that call an endpoint of the other host where it is, as an OAuth error and not a page. */
function tokenEndpointElsewhere(path: string, authApi: string): Route {
  const message = `this endpoint needs your certificate: use ${authApi}${path}`;
  return {
    method: "POST",
    path,
    handle: async (call) => {
      const refusal = new ClientRefusal(REFUSAL, message, { challenge: basicChallenge(call) });
      const { answer, logFacts } = presentOAuthError(refusal, { ...call, acceptLanguage: undefined });
      return { ...answer, facts: logFacts };
    },
  };
}

/** Answers as the other host does without a certificate. */
function applicationEndpointsElsewhere(authApi: string): readonly Route[] {
  const description = `${REFUSAL}: applications need your certificate: use ${authApi}/cobs/2.0/applications`;
  const error = { status: 401, error: "unauthorized_client", description };
  const { answer, logFacts } = presentOAuthErrorAnswer(error, { refusal: REFUSAL });
  const handle: Route["handle"] = async () => ({ ...answer, facts: logFacts });
  return routesOfApplications(() => handle);
}

function handOver(
  authorizationServer: AuthorizationServer,
  path: string,
  count: (call: IncomingCall) => Promise<void> = async () => {},
): HandedOverRoute {
  return {
    method: "GET",
    path,
    handOver: async (request, response, call) => {
      await count(call);
      request.url = readAuthorizationAddress(request.url ?? path);
      await authorizationServer.answer(request, response, {
        caller: { kind: "browser" },
        requestId: call.requestId,
        note: call.note,
        acceptLanguage: call.header("accept-language"),
        cookie: call.header("cookie"),
      });
    },
  };
}

/** Makes the routes of the browser listener: authorization with its pages, and discovery for clients. */
export function createBrowserRoutes(parts: BrowserParts): readonly (Route | HandedOverRoute)[] {
  const { authorizationServer, hosts, pageRoutes } = parts;
  return [
    handOver(authorizationServer, "/oauth/authorize", (call) => countAuthorization(parts, call)),
    handOver(authorizationServer, "/oauth/authorize/:uid", async (call) => countPage(parts, call)),
    handOver(authorizationServer, "/oauth/jwks"),
    ...pageRoutes,
    ...DISCOVERY_PATHS.map((path) => discoveryRoute(path, parts)),
    ...createSecurityTextRoutes(hosts.issuer, parts),
    ...TOKEN_ENDPOINTS.map((path) => tokenEndpointElsewhere(path, hosts.authApi)),
    ...applicationEndpointsElsewhere(hosts.authApi),
  ];
}
