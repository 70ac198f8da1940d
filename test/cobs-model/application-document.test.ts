import { generateKeyPairSync } from "node:crypto";
import * as model from "@cobs/cobs-model";
import { expect } from "chai";

const registration = model.parseApplicationRegistration({
  application_type: "web",
  client_name: "Moje peněženka",
  redirect_uris: ["https://tpp.example/cb"],
});
const APPLICATION: model.Application = {
  ...registration,
  id: model.parseApplicationId("7f1c9a20d3"),
  scopes: ["aisp"],
};

const UPDATED = {
  client_id: "7f1c9a20d3",
  client_secret_expires_at: 0,
  applicationType: "web",
  client_name: "Moje peněženka",
  redirect_uris: ["https://tpp.example/cb"],
  scopes: ["aisp"],
  security_profile: "cobs",
};
const KNOWN = { ...UPDATED, api_key: "NOT_PROVIDED" };

describe("the documents of an application", () => {
  it("show the secret when an application is created (COBS PDF 1.4.1.1, A-29)", () => {
    const document = model.presentCreatedApplication(APPLICATION, "secret-in-clear");
    expect(document).to.deep.equal({ ...KNOWN, client_secret: "secret-in-clear" });
  });

  it("show no secret when an application is read (COBS PDF 1.4.1.2, A-27)", () => {
    expect(model.presentApplication(APPLICATION)).to.deep.equal(KNOWN);
  });

  it("form a bare array when listed, empty if there are none", () => {
    expect(model.presentApplicationList([APPLICATION])).to.deep.equal([KNOWN]);
    expect(model.presentApplicationList([])).to.deep.equal([]);
  });

  it("show neither secret nor API key after an update (COBS PDF 1.4.1.3)", () => {
    expect(model.presentUpdatedApplication(APPLICATION)).to.deep.equal(UPDATED);
  });

  it("show only the id and the new secret after a renewal (COBS PDF 1.4.1.5)", () => {
    expect(model.presentRenewedSecret(APPLICATION.id, "secret-in-clear")).to.deep.equal({
      client_id: "7f1c9a20d3",
      client_secret: "secret-in-clear",
      client_secret_expires_at: 0,
    });
  });

  it("of profile fapi2 show the keys and no secret (FAPI 2.0 5.3.2.1, RFC 7591 3.2.1)", () => {
    const jwks = { keys: [generateKeyPairSync("ed25519").publicKey.export({ format: "jwk" })] };
    const members = { token_endpoint_auth_method: "private_key_jwt", jwks };
    const read = model.parseApplicationRegistration({ ...UPDATED, ...members });
    const { client_secret_expires_at: _, ...known } = KNOWN;
    const document = model.presentCreatedApplication({ ...APPLICATION, ...read, scopes: ["aisp"] }, null);
    expect(document).to.deep.equal({ ...known, ...members, security_profile: "fapi2" });
  });

  it("of profile fapi2 show the jwks_uri of the keys", () => {
    const members = { token_endpoint_auth_method: "private_key_jwt", jwks_uri: "https://tpp.example/keys" };
    const read = model.parseApplicationRegistration({ ...UPDATED, ...members });
    const { client_secret_expires_at: _, ...known } = KNOWN;
    const document = model.presentApplication({ ...APPLICATION, ...read, scopes: ["aisp"] });
    expect(document).to.deep.equal({ ...known, ...members, security_profile: "fapi2" });
  });

  it("repeat the optional members that were registered", () => {
    const extras = {
      "client_name#en-US": "My wallet",
      logo_uri: "https://tpp.example/logo.svg",
      contact: "support@tpp.example",
      token_endpoint_auth_method: "client_secret_post",
    };
    const full = model.parseApplicationRegistration({ ...UPDATED, ...extras });
    expect(model.presentApplication({ ...APPLICATION, ...full, scopes: ["aisp"] })).to.deep.equal({
      ...KNOWN,
      ...extras,
    });
  });
});
