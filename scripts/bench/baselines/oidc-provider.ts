/** Baseline of auth: `oidc-provider` alone over mutual TLS, with a store in memory and plain forms as pages. */
import { generateKeyPairSync } from "node:crypto";
import Provider, { type ClientMetadata, type Configuration } from "oidc-provider";
import { type BaselineSettings, readSettings, serve } from "./baseline.ts";
import { certificateOf } from "./certificate-of.ts";
import { createMemoryAdapter } from "./memory-adapter.ts";
import { plainInteractions } from "./plain-interactions.ts";

type Settings = BaselineSettings & { issuer: string; api: string; clients: ClientMetadata[] };
const settings = readSettings<Settings>();
const api = { scope: "aisp pisp", audience: settings.api, accessTokenFormat: "opaque" } as const;
const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
const features: Configuration["features"] = {
  devInteractions: { enabled: false },
  introspection: { enabled: true, allowedPolicy: () => true },
  jwtIntrospection: { enabled: true },
  resourceIndicators: {
    enabled: true,
    defaultResource: () => settings.api,
    useGrantedResource: () => true,
    getResourceServerInfo: () => api,
  },
  mTLS: {
    enabled: true,
    certificateBoundAccessTokens: true,
    tlsClientAuth: true,
    getCertificate: ({ req }) => certificateOf(req),
    certificateAuthorized: ({ req }) => certificateOf(req) !== undefined,
    certificateSubjectMatches: ({ req }, _, expected) =>
      certificateOf(req)?.subject.split("\n").includes(expected) === true,
  },
};
const provider = new Provider(settings.issuer, {
  adapter: createMemoryAdapter(),
  features,
  clients: settings.clients,
  jwks: { keys: [{ ...privateKey.export({ format: "jwk" }), alg: "ES256", use: "sig" }] },
  clientAuthMethods: ["client_secret_post", "tls_client_auth"],
  clientDefaults: { id_token_signed_response_alg: "ES256", introspection_signed_response_alg: "ES256" },
  enabledJWA: { introspectionSigningAlgValues: ["ES256"], idTokenSigningAlgValues: ["ES256"] },
  cookies: { keys: ["a key of the bench"] },
  formats: { bitsOfOpaqueRandomness: 256 },
  interactions: { url: (_, { uid }) => `/interaction/${uid}` },
  pkce: { required: () => false },
  issueRefreshToken: () => true,
  rotateRefreshToken: false,
  expiresWithSession: () => false,
  findAccount: (_, accountId) => ({ accountId, claims: () => ({ sub: accountId }) }),
  ttl: {
    AccessToken: 600,
    RefreshToken: 86_400,
    Grant: 86_400,
    Session: 300,
    Interaction: 600,
    AuthorizationCode: 60,
  },
});
provider.use(plainInteractions(provider, settings.api));
serve(settings, provider.callback());
