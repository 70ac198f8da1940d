import { createPublicKey } from "node:crypto";
import { SCOPES, thumbprintOfJwk } from "@cobs/cobs-model";
import type { Example } from "@cobs/cobs-model/openapi";
import { expect } from "chai";
import { presentDiscovery } from "../../packages/auth/src/http/discovery-document.ts";
import { findResponse } from "./check-answer.ts";
import { lookUp, operationOf } from "./interface-document.ts";

const OF_BANK = {
  issuer: "https://bank.example",
  authApi: "https://api.bank.example",
  resourceServer: "https://api.bank.example/cobs/2.0",
};

/** The example of what can be read without a certificate. */
function shownBy(operationId: string): Example["value"] | undefined {
  const { content = {} } = findResponse(operationOf(operationId), 200)?.value ?? {};
  return Object.values(content)[0]?.examples?.usual?.value;
}

describe("the examples of metadata in the description", () => {
  it("are what a bank with this address publishes (RFC 8414 section 2)", () => {
    for (const operationId of ["readServerMetadata", "readOpenIdMetadata"])
      expect(shownBy(operationId)).to.deep.equal(presentDiscovery(OF_BANK, false, SCOPES));
  });

  it("have every member that a server always has, and their schema requires those (RFC 8414 section 2)", () => {
    const { required, properties } = Object(lookUp("#/components/schemas/ServerMetadata"));
    for (const fapi2Required of [true, false])
      expect(Object.keys(presentDiscovery(OF_BANK, fapi2Required, SCOPES))).to.have.members(required);
    expect(properties).to.have.all.keys(required);
  });

  it("have a valid P-256 key whose kid is its thumbprint (RFC 7517, RFC 7638)", () => {
    const { keys } = Object(shownBy("readKeys"));
    expect(keys).to.have.length(1);
    const [key] = keys;
    expect(createPublicKey({ key, format: "jwk" }).asymmetricKeyDetails?.namedCurve).to.equal("prime256v1");
    const { kty, crv, x, y, kid } = key;
    expect(kid).to.equal(thumbprintOfJwk({ kty, crv, x, y }));
  });
});
