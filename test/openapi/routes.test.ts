import { expect } from "chai";
import { createBrowserRoutes } from "../../packages/auth/src/http/browser-routes.ts";
import { createMutualTlsRoutes } from "../../packages/auth/src/http/mutual-tls-routes.ts";
import { createDocumentationRoutes } from "../../packages/auth/src/http/pages/documentation-routes.ts";
import { createInterfaceRoute } from "../../packages/resource/src/http/interface-route.ts";
import { createTppRoutes } from "../../packages/resource/src/http/tpp-routes.ts";
import { OPERATIONS } from "./interface-document.ts";

/** What people see; TPPs call none of it. */
const PAGES = ["GET /docs", "GET /docs/{file}", "GET /oauth/authorize/{uid}"];
const HOSTS = {
  issuer: "https://localhost:8443",
  authApi: "https://localhost:8444",
  resourceServer: "https://localhost:9443/cobs/2.0",
};

/** The same routes under the other paths that the standard prints: they are not described a second time. */
const PRINTED = /\/$|^\S+ \/cobs\/2\.0\/payments\/\{paymentId\}(?!\/status)/;

/** No route is called here, so that none needs what it answers with. */
const withoutParts = (known: object) => JSON.parse(JSON.stringify(known));

/** The routes of both services as they make them, but for the PSU's pages. */
function routesOfServices() {
  const browser = { hosts: HOSTS, securityContact: "mailto:security@bank.example", pageRoutes: [] };
  return [
    ...createBrowserRoutes(withoutParts(browser)),
    ...createDocumentationRoutes(withoutParts(browser)),
    ...createMutualTlsRoutes(withoutParts({ issuer: HOSTS.issuer })),
    ...createTppRoutes(withoutParts({ admission: {} })),
    createInterfaceRoute(HOSTS, { tppName: "optional", absentUserInvolved: "present" }),
  ];
}

describe("the operations of the description", () => {
  it("are exactly the routes of both services", () => {
    const routes = routesOfServices().map(
      ({ method, path }) => `${method} ${path.replace(/:(\w+)/g, "{$1}")}`,
    );
    const described = OPERATIONS.map(({ method, path }) => `${method} ${path}`);
    expect(
      [...new Set(routes)].filter((route) => !PAGES.includes(route) && !PRINTED.test(route)),
    ).to.have.members(described);
  });
});
