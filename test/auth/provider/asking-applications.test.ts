import { generateKeyPairSync } from "node:crypto";
import { expect } from "chai";
import { type Client, Provider } from "oidc-provider";
import type { AskingApplication } from "../../../packages/auth/src/applications/application-store.ts";
import { APPLICATION_MEMBERS } from "../../../packages/auth/src/provider/application-client.ts";
import { AskingApplications } from "../../../packages/auth/src/provider/asking-applications.ts";
import { createClientAdapter } from "../../../packages/auth/src/provider/client-adapter.ts";
import { findRedirectUri } from "../../../packages/cobs-model/src/redirect-uri.ts";
import { handMadeJourney } from "../journey/hand-made-journey.ts";

const { application, tpp } = handMadeJourney().visit.pending;
const address = findRedirectUri("https://tpp.example/back", "web");
const ASKING: AskingApplication = {
  application: { ...application, redirectUris: address === undefined ? [] : [address] },
  secretHash: "hash",
  formerSecretHash: null,
  tpp,
  isBlocked: false,
};

/** A provider whose clients are these applications, and how often one was looked for. */
function providerOver(found: AskingApplication) {
  let lookups = 0;
  const findAsking = async () => {
    lookups += 1;
    return found;
  };
  const asking = new AskingApplications({ findAsking }, { find: async () => undefined });
  const publishedKeys = { find: async () => undefined };
  const clients = createClientAdapter({
    askingApplications: asking,
    publishedKeys,
    readAdmitted: () => undefined,
    introspectors: [],
    isOfBank: () => false,
  });
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const provider = new Provider("https://login.bank.example", {
    adapter: () => clients,
    extraClientMetadata: { properties: APPLICATION_MEMBERS },
    features: { devInteractions: { enabled: false } },
    jwks: { keys: [{ ...privateKey.export({ format: "jwk" }), use: "sig" }] },
    clientDefaults: { id_token_signed_response_alg: "ES256" },
  });
  const idOf = (client: Client | undefined) => client?.clientId;
  return { asking, provider, idOf, lookups: () => lookups };
}

describe("Applications that ask for an authorization", () => {
  it("are looked up once for a page that needs their client too", async () => {
    const { asking, provider, idOf, lookups } = providerOver(ASKING);
    const found = await asking.find(application.id);
    expect(found).to.equal(ASKING);
    expect(idOf(await asking.clientOf(provider, ASKING))).to.equal(application.id);
    expect(lookups()).to.equal(1);
  });

  it("are looked up again by the next call: nothing is cached", async () => {
    const { asking, provider, idOf, lookups } = providerOver(ASKING);
    await asking.clientOf(provider, ASKING);
    expect(idOf(await provider.Client.find(application.id))).to.equal(application.id);
    expect(lookups()).to.equal(1);
  });

  it("have no client while their TPP is blocked", async () => {
    const blocked = { ...ASKING, isBlocked: true };
    const { asking, provider } = providerOver(blocked);
    const outcome = await asking.clientOf(provider, blocked).then(
      () => "a client",
      (error: Error) => error.message,
    );
    expect(outcome).to.contain("invalid_client");
  });
});
