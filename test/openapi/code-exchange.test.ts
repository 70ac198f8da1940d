import { AUTH_VARIABLES } from "@cobs/auth";
import { expect } from "chai";
import { lookUp, operationOf } from "./interface-document.ts";

describe("the described exchange of a code", () => {
  it("tells what a code does that comes again, and how long one lives (RFC 6749 4.1.2)", () => {
    const { description } = operationOf("getTokens").operation;
    expect(description).to.include("sent again").and.to.include("ends its consent with all tokens");
    const chosen = AUTH_VARIABLES.find(({ name }) => name === "CODE_LIFETIME_SECONDS");
    expect(chosen?.default).to.equal("60");
    expect(description).to.include("within a minute unless the bank has set another time");
    const code = lookUp("#/components/schemas/TokenRequest/properties/code");
    expect(code).to.have.property("description").that.includes("ends its consent when it is sent again");
  });
});
