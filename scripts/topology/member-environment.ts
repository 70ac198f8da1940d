import { PROXY_NAME } from "../../packages/sandbox/src/proxy/write-proxy-files.ts";
import {
  authEnvironment,
  resourceEnvironment,
  type ServiceEnvironment,
  type ServiceSurroundings,
} from "../../packages/sandbox/src/start/service-environment.ts";
import type { ServiceName } from "../../packages/sandbox/src/start/service-program.ts";
import type { MemberPorts } from "./topology-ports.ts";

/** Settings that members share; the ports are the proxy's. */
export interface MemberSurroundings extends ServiceSurroundings {
  readonly inherited: ServiceEnvironment;
  /** Variables that override all the others except `own`. */
  readonly more: ServiceEnvironment;
  /** Variables that override everything else, for the members of each service. */
  readonly own: Readonly<Record<ServiceName, ServiceEnvironment>>;
}

/** Time that the proxy needs to notice, with its checks every half second. */
const DRAIN_DELAY_SECONDS = 2;
const DRAIN_LIMIT_SECONDS = 10;

/** High enough never to limit: a topology is there to be called often. */
const NO_LIMIT = "10000000";
const LIMITS = [
  "TOKEN_REQUESTS_PER_MINUTE",
  "AUTHORIZATIONS_PER_MINUTE",
  "ADDRESS_REQUESTS_PER_MINUTE",
  "INTROSPECTIONS_PER_MINUTE",
  "APPLICATION_CHANGES_PER_MINUTE",
  "NEW_TOKENS_PER_MINUTE",
  "PAYMENTS_PER_MINUTE",
  "CALLS_AT_ONCE_PER_TPP",
];

const ENVIRONMENTS = { auth: authEnvironment, resource: resourceEnvironment };

/** The environment of a member: known under the proxy's addresses, listening on its own ports. */
export function memberEnvironment(
  service: ServiceName,
  ports: MemberPorts,
  surroundings: MemberSurroundings,
): ServiceEnvironment {
  return {
    ...surroundings.inherited,
    ...ENVIRONMENTS[service](surroundings),
    ...(service === "auth" && { BROWSER_PORT: String(ports.browser) }),
    MUTUAL_TLS_PORT: String(ports.mutualTls),
    BANK_PORT: String(ports.bank),
    OPERATOR_PORT: String(ports.operator),
    CLIENT_CERTIFICATE_SOURCE: "rfc9440",
    PROXY_NAMES: PROXY_NAME,
    DRAIN_DELAY_SECONDS: String(DRAIN_DELAY_SECONDS),
    DRAIN_LIMIT_SECONDS: String(DRAIN_LIMIT_SECONDS),
    ...Object.fromEntries(LIMITS.map((name) => [name, NO_LIMIT])),
    ...surroundings.more,
    ...surroundings.own[service],
  };
}
