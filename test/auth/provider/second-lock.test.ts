import { X509Certificate } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { parseOrganisationIdentifier } from "@cobs/psd2-certificates";
import { expect } from "chai";
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { Provider } from "oidc-provider";
import {
  createClientSecret,
  hashClientSecret,
} from "../../../packages/auth/src/applications/client-secret.ts";
import { APPLICATION_MEMBERS } from "../../../packages/auth/src/provider/application-client.ts";
import { compareSecretsByHash } from "../../../packages/auth/src/provider/compare-client-secret.ts";
import {
  HandedOverRequests,
  type ProviderCaller,
} from "../../../packages/auth/src/provider/provider-caller.ts";
import { createAssertionCheck } from "../../../packages/auth/src/provider/require-assertion.ts";
import { UNUSED_ADAPTER } from "../../../packages/auth/src/provider/unused-adapter.ts";
import { testCertificates } from "../../support/test-certificates.ts";

const ISSUER = "https://login.bank.example";
const OWNER = parseOrganisationIdentifier("PSDCZ-CNB-1");
const OTHER = parseOrganisationIdentifier("PSDCZ-CNB-2");
const APPLICATION = { redirect_uris: ["https://tpp.example/callback"], cobs_owner: OWNER };
const ADAPTER = { ...UNUSED_ADAPTER, find: async () => undefined, upsert: async () => undefined };

describe("The OAuth provider itself, without the step before it (RFC 8705 section 2)", () => {
  const secret = createClientSecret();
  let certificate: X509Certificate;
  let keys: Awaited<ReturnType<typeof generateKeyPair>>;
  let post: (caller: ProviderCaller, fields: Readonly<Record<string, string>>) => Promise<string>;
  let close: () => void;

  before(async () => {
    const { server: pairs } = await testCertificates();
    certificate = new X509Certificate(readFileSync(pairs.auth.certificateFile));
    keys = await generateKeyPair("ES256", { extractable: true });
    const requests = new HandedOverRequests();
    const provider = new Provider(ISSUER, {
      adapter: () => ADAPTER,
      features: { devInteractions: { enabled: false } },
      jwks: { keys: [{ ...(await exportJWK(keys.privateKey)), use: "sig" }] },
      clientDefaults: { id_token_signed_response_alg: "ES256" },
      clientAuthMethods: ["client_secret_post", "private_key_jwt"],
      extraClientMetadata: { properties: APPLICATION_MEMBERS },
      assertJwtClientAuthClaimsAndHeader: createAssertionCheck(requests, ISSUER),
      clients: [
        {
          ...APPLICATION,
          client_id: "with-secret",
          client_secret: hashClientSecret(secret),
          token_endpoint_auth_method: "client_secret_post",
        },
        {
          ...APPLICATION,
          client_id: "with-key",
          token_endpoint_auth_method: "private_key_jwt",
          jwks: { keys: [await exportJWK(keys.publicKey)] },
        },
      ],
    });
    compareSecretsByHash(provider, requests);
    const callback = provider.callback();
    let caller: ProviderCaller = { kind: "browser" };
    const server = createServer((request, response) => {
      requests.add(request, { caller, requestId: "request", note: () => {}, acceptLanguage: undefined });
      void callback(request, response);
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    post = async (next, fields) => {
      caller = next;
      const code = {
        grant_type: "authorization_code",
        code: "unknown",
        redirect_uri: "https://tpp.example/",
      };
      const body = new URLSearchParams({ ...code, ...fields });
      const answer = await fetch(`http://127.0.0.1:${port}/token`, { method: "POST", body });
      return JSON.parse(await answer.text()).error;
    };
    close = () => server.close();
  });
  after(() => close());

  const tpp = (organisationIdentifier: typeof OWNER): ProviderCaller => {
    return { kind: "tpp", organisationIdentifier, roles: [], certificate };
  };
  const strangers = (): readonly ProviderCaller[] => [
    tpp(OTHER),
    { kind: "bank", name: "resource", certificate },
    { kind: "browser" },
  ];

  it("takes a secret from the application's own TPP alone", async () => {
    const fields = { client_id: "with-secret", client_secret: secret };
    expect(await post(tpp(OWNER), fields)).to.equal("invalid_grant");
    for (const stranger of strangers())
      expect(await post(stranger, fields), stranger.kind).to.equal("invalid_client");
  });

  it("takes an assertion from the application's own TPP alone", async () => {
    const prove = async (caller: ProviderCaller) => {
      const assertion = await new SignJWT({})
        .setProtectedHeader({ alg: "ES256" })
        .setIssuer("with-key")
        .setSubject("with-key")
        .setAudience(ISSUER)
        .setJti(crypto.randomUUID())
        .setIssuedAt()
        .setExpirationTime("1m")
        .sign(keys.privateKey);
      const client_assertion_type = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";
      return post(caller, { client_id: "with-key", client_assertion_type, client_assertion: assertion });
    };
    expect(await prove(tpp(OWNER))).to.equal("invalid_grant");
    for (const stranger of strangers())
      expect(await prove(stranger), stranger.kind).to.equal("invalid_client");
  });
});
