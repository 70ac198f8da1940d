import { createHash } from "node:crypto";
import { AUTH_VARIABLES } from "@cobs/auth";
import { expect } from "chai";
import { lookUp, operationOf } from "./interface-document.ts";

const examplesOf = (endpoint: string) =>
  `#/paths/~1oauth~1${endpoint}/post/requestBody/content/application~1x-www-form-urlencoded/examples`;

describe("the described exchange of a code", () => {
  it("says what happens to a code that is sent again, and how long a code lives (RFC 6749 4.1.2)", () => {
    const { description } = operationOf("getTokens").operation;
    expect(description).to.include("sent again").and.to.include("ends its consent with all tokens");
    const chosen = AUTH_VARIABLES.find(({ name }) => name === "CODE_LIFETIME_SECONDS");
    expect(chosen?.default).to.equal("60");
    expect(description).to.include("within a minute unless the bank has set another time");
    const code = lookUp("#/components/schemas/TokenRequest/properties/code");
    expect(code).to.have.property("description").that.includes("ends its consent when it is sent again");
  });

  it("shows the verifier of the challenge in its authorization request, pushed or not (RFC 7636 4.6)", () => {
    const sent = lookUp(`${examplesOf("token")}/code/value`);
    const pushed = lookUp(`${examplesOf("par")}/usual/value`);
    const asked = operationOf("authorize").operation.parameters.find(
      (each) => "name" in each && each.name === "code_challenge",
    );
    const { code_verifier: verifier } = Object(sent);
    expect(verifier).to.be.a("string");
    const challenge = createHash("sha256").update(verifier).digest("base64url");
    expect([Object(pushed).code_challenge, Object(asked).example]).to.deep.equal([challenge, challenge]);
  });
});
