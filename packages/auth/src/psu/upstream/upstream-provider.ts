/**
 * The bank's provider as it describes itself (OpenID Connect Discovery 1.0). This file owns when the description is fetched, how
 * long it counts, and what a provider must be able to do. It knows nothing of a sign-in.
 */
import { type Clock, type Log, PrivateServiceUnavailable } from "@cobs/service-edge";
import { importJWK } from "jose";
import * as oidc from "openid-client";
import { parseClientKey } from "./client-key.ts";
import type { UpstreamAuthentication, UpstreamSettings } from "./upstream-settings.ts";

/** Gives the configuration of the OpenID client; throws `PrivateServiceUnavailable` while the provider is not there. */
export type UpstreamProvider = () => Promise<oidc.Configuration>;

/** What the provider is discovered with. */
export interface UpstreamProviderParts {
  readonly settings: UpstreamSettings;
  readonly fetch: oidc.CustomFetch;
  readonly clock: Pick<Clock, "monotonicMilliseconds">;
  readonly log: Log;
}

/** The name of the bank's provider in errors and log lines. */
export const UPSTREAM = "the bank's login";

/** After this time a description is renewed, without making those who sign in wait. */
const FRESH_MILLISECONDS = 300_000;
/** After this time a description that could not be renewed serves no longer. */
const KEPT_MILLISECONDS = 3_600_000;
/** Least time between two requests to a provider that does not answer, however many PSUs sign in. */
const INTERVAL_MILLISECONDS = 2_000;

/** Algorithms that may sign ID tokens: asymmetric, so that this server's secret proves nothing (RFC 8725 3.1, 3.2). */
const ALGORITHMS: ReadonlySet<string> = new Set([
  ...["ES256", "ES384", "ES512", "PS256", "PS384", "PS512", "RS256", "RS384", "RS512"],
  ...["Ed25519", "EdDSA"],
]);

interface Known {
  readonly configuration: oidc.Configuration;
  readonly fetchedAt: number;
}

/** Makes the provider. It is first asked when somebody signs in: start does not wait for it. */
export function createUpstreamProvider(parts: UpstreamProviderParts): UpstreamProvider {
  const { clock, log } = parts;
  let known: Known | undefined;
  let triedAt = Number.NEGATIVE_INFINITY;
  let underWay: Promise<void> | undefined;
  let failure: Error | undefined;
  const age = () => (known === undefined ? Infinity : clock.monotonicMilliseconds() - known.fetchedAt);

  async function renew(): Promise<void> {
    const fetchedAt = clock.monotonicMilliseconds();
    triedAt = fetchedAt;
    try {
      known = { configuration: await discover(parts), fetchedAt };
    } catch (error) {
      failure = new Error(reasonOf(error));
      log.warn(
        { detail: failure.message },
        "the bank's OpenID provider cannot be reached, or does not support what auth needs",
      );
    }
  }

  return async () => {
    const isDue = clock.monotonicMilliseconds() - triedAt >= INTERVAL_MILLISECONDS;
    if (age() >= FRESH_MILLISECONDS && underWay === undefined && isDue)
      underWay = renew().finally(() => {
        underWay = undefined;
      });
    if (age() >= KEPT_MILLISECONDS) await underWay;
    if (known === undefined || age() >= KEPT_MILLISECONDS)
      throw new PrivateServiceUnavailable(UPSTREAM, { cause: failure });
    return known.configuration;
  };
}

/**
 * The reason that an operator can act on, from beneath the OpenID client's error: a certificate, a refused connection, the limit,
 * a status, what does not fit. Messages alone: the rest of the error is whatever the other side sent.
 */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  const { message, cause } = error;
  if (cause instanceof PrivateServiceUnavailable) return cause.reason;
  if (cause instanceof Response) return `${message}: ${cause.status} from ${new URL(cause.url).pathname}`;
  return cause instanceof Error ? cause.message : message;
}

async function discover({ settings, fetch }: UpstreamProviderParts): Promise<oidc.Configuration> {
  const { issuer, clientId, authentication } = settings;
  const options = { [oidc.customFetch]: fetch };
  const found = await oidc.discovery(issuer, clientId, undefined, oidc.None(), options);
  const server = requireUsable(found.serverMetadata());
  const proof = await prove(authentication, server);
  const configuration = new oidc.Configuration(server, clientId, undefined, proof);
  configuration[oidc.customFetch] = fetch;
  // TLS alone is not enough: the signature of every ID token is verified (OIDC Core 3.1.3.7, point 6).
  oidc.enableNonRepudiationChecks(configuration);
  return configuration;
}

/** What a provider may demand of every client and this one does not send (RFC 9126 section 5, RFC 9101 section 10.5). */
const DEMANDS = ["require_pushed_authorization_requests", "require_signed_request_object"] as const;

/**
 * Requires that its endpoints are there and https, and that it takes plain requests: otherwise each PSU would read an error there
 * and nothing would be told here. Keeps those of its algorithms that count here.
 */
function requireUsable(server: oidc.ServerMetadata): oidc.ServerMetadata {
  for (const name of DEMANDS)
    if (server[name] === true) throw new Error(`${name} is true, but this server sends plain requests`);
  for (const name of ["authorization_endpoint", "token_endpoint", "jwks_uri"] as const) {
    const endpoint = server[name];
    if (endpoint === undefined || !URL.canParse(endpoint) || new URL(endpoint).protocol !== "https:")
      throw new Error(`${name} is not an https URL`);
  }
  // A provider that says nothing must support RS256 (OIDC Core 15.1).
  const told = listIn(server, "id_token_signing_alg_values_supported", ["RS256"]);
  const counting = told.filter((algorithm) => ALGORITHMS.has(algorithm));
  if (counting.length === 0)
    throw new Error("id_token_signing_alg_values_supported has no accepted algorithm");
  return { ...server, id_token_signing_alg_values_supported: counting };
}

type ListName =
  | "token_endpoint_auth_methods_supported"
  | "token_endpoint_auth_signing_alg_values_supported"
  | "id_token_signing_alg_values_supported";

/** A list in the provider's description; `usual` when it is missing, or null as some write it. */
function listIn(server: oidc.ServerMetadata, name: ListName, usual: readonly string[]): readonly string[] {
  const told: unknown = server[name] ?? usual;
  if (Array.isArray(told)) return told;
  throw new Error(`${name} is not a list`);
}

/** Authenticates by the one configured means; a secret goes into the header if the provider takes it there (RFC 6749 2.3.1). */
async function prove(
  authentication: UpstreamAuthentication,
  server: oidc.ServerMetadata,
): Promise<oidc.ClientAuth> {
  // What a provider that says nothing accepts (OIDC Discovery 3).
  const methods = listIn(server, "token_endpoint_auth_methods_supported", ["client_secret_basic"]);
  if (authentication.kind === "key") {
    if (!methods.includes("private_key_jwt")) throw new Error("it does not support private_key_jwt");
    return proveWithKey(authentication.key.reveal(), server);
  }
  const secret = authentication.secret.reveal();
  if (methods.includes("client_secret_basic")) return oidc.ClientSecretBasic(secret);
  if (methods.includes("client_secret_post")) return oidc.ClientSecretPost(secret);
  throw new Error("it supports neither client_secret_basic nor client_secret_post");
}

async function proveWithKey(text: string, server: oidc.ServerMetadata): Promise<oidc.ClientAuth> {
  const { jwk, algorithm, kid } = parseClientKey(text);
  const taken = listIn(server, "token_endpoint_auth_signing_alg_values_supported", [algorithm]);
  if (!taken.includes(algorithm)) throw new Error(`it does not accept assertions signed with ${algorithm}`);
  const key = await importJWK(jwk, algorithm);
  if (key instanceof Uint8Array) throw new TypeError("a private key is a secret");
  return oidc.PrivateKeyJwt(kid === undefined ? key : { key, kid });
}
