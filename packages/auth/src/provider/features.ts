import type { Configuration, MTLSConfiguration } from "oidc-provider";
import { isFapi2, subjectOf } from "./application-client.ts";
import { describeForResource, type IntrospectionParts } from "./introspection.ts";
import type { HandedOverRequests, ProviderCaller } from "./provider-caller.ts";
import { describeResourceServer, oneResource, type ResourceServerTerms } from "./resource-server.ts";

/** What the enabled features need. */
export interface FeatureParts extends IntrospectionParts {
  readonly requests: HandedOverRequests;
  readonly resourceServer: ResourceServerTerms;
}

const ON = { enabled: true } as const;
const OFF = { enabled: false } as const;

/**
 * The subject that authenticates a client by its certificate (RFC 8705 2.1): for a TPP its organisation identifier, in
 * any of its certificates; for a bank service its name under the private CA.
 */
function certifiedSubject(caller: ProviderCaller): string | undefined {
  switch (caller.kind) {
    case "tpp":
      return subjectOf(caller.organisationIdentifier);
    case "bank":
      return `CN=${caller.name}`;
    case "browser":
      return undefined;
  }
}

/** Mutual TLS hooks. Every call's certificate was verified before the provider saw it; these only pass it on (RFC 8705). */
function mutualTls(requests: HandedOverRequests): MTLSConfiguration {
  return {
    ...ON,
    certificateBoundAccessTokens: true,
    tlsClientAuth: true,
    selfSignedTlsClientAuth: false,
    getCertificate: (ctx) => {
      const { caller } = requests.of(ctx.req);
      return caller.kind === "browser" ? undefined : caller.certificate;
    },
    certificateAuthorized: (ctx) => requests.of(ctx.req).caller.kind !== "browser",
    certificateSubjectMatches: (ctx, property, expected) =>
      property === "tls_client_auth_subject_dn" && expected === certifiedSubject(requests.of(ctx.req).caller),
  };
}

/** Every feature of the provider, on or off, each with its reason. Omitting a feature does not compile. */
export function providerFeatures(parts: FeatureParts): Required<NonNullable<Configuration["features"]>> {
  const { requests, resourceServer } = parts;
  return {
    // Tokens are bound to the TPP's certificate (RFC 8705 3), which every back-channel call presents.
    mTLS: mutualTls(requests),
    // Every token is for the one resource server, even if the request names none (RFC 8707).
    resourceIndicators: {
      ...ON,
      getResourceServerInfo: (ctx, indicator, client) => {
        const { caller } = requests.of(ctx.req);
        return describeResourceServer(resourceServer, indicator, { client, caller });
      },
      defaultResource: (_ctx, _client, named) => oneResource(resourceServer, named),
      useGrantedResource: () => true,
    },
    // The resource server introspects each token (RFC 7662) and gets a signed answer (RFC 9701). Applications cannot
    // call this.
    introspection: {
      ...ON,
      allowedPolicy: (_ctx, _client, token) => describeForResource(token, parts),
    },
    jwtIntrospection: ON,
    // COBS PDF 1.4.6. A token of another application is treated as unknown (RFC 7009 2.2).
    revocation: { ...ON, allowedPolicy: (_ctx, client, token) => token.clientId === client.clientId },

    // Profile fapi2 must push its requests (FAPI 2.0 5.3.2.2), profile cobs may; only to registered addresses.
    pushedAuthorizationRequests: {
      ...ON,
      requirePushedAuthorizationRequests: false,
      allowUnregisteredRedirectUris: false,
    },
    // Enforces little by itself: each client's metadata and our own hooks make up profile fapi2.
    fapi: { ...ON, profile: (_ctx, client) => (isFapi2(client) ? "2.0" : undefined) },
    // COBS 2.0 has no ID tokens and no UserInfo; nothing about the PSU goes to the TPP.
    userinfo: OFF,
    jwtUserinfo: OFF,
    claimsParameter: OFF,
    // Applications register at /cobs/2.0/applications, with a certificate and in the standard's own fields.
    registration: OFF,
    registrationManagement: OFF,
    clientIdMetadataDocument: OFF,
    rpMetadataChoices: OFF,
    // COBS 2.0 has only the authorization code grant.
    clientCredentials: OFF,
    deviceFlow: OFF,
    ciba: OFF,
    openid4vci: OFF,
    // A client's one proof of possession is the certificate.
    dPoP: OFF,
    attestClientAuth: OFF,
    // Neither profile has signed requests; nothing that a request names is ever fetched.
    requestObjects: OFF,
    richAuthorizationRequests: OFF,
    // Answers go only into the query of the return address.
    jwtResponseModes: OFF,
    webMessageResponseMode: OFF,
    encryption: OFF,
    // The session is internal: it authenticates nobody, and no TPP ends it.
    rpInitiatedLogout: OFF,
    backchannelLogout: OFF,
    // The provider never sees private keys: our code signs answers, and the provider gets only public keys.
    externalSigningSupport: { ...ON, ack: "experimental-01" },
    // The pages are our own.
    devInteractions: OFF,
  };
}
