import { expect } from "chai";
import { readForm } from "../../../packages/auth/src/http/read-form.ts";
import { heldPerOctet } from "../../support/held-per-octet.ts";

const MANY_OCTETS = 50_000;

describe("the form of a request to the OAuth provider", () => {
  it("is held in no more room than it has when it comes octet by octet (RS-16)", async () => {
    const head =
      "POST /oauth/token HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\n";
    const held = await heldPerOctet(
      (request) => void readForm(request).catch(() => undefined),
      head,
      Buffer.alloc(MANY_OCTETS, "a"),
    );
    expect(held).to.be.lessThan(10);
  }).timeout(30_000);
});
