import { configure } from "@cobs/auth";
import { expect } from "chai";
import { ISSUER, type RunningAuth, runAuth } from "./running-auth.ts";

const PATH = "/.well-known/security.txt";
const CONTACT = "mailto:security@bank.example";
const DAY_MILLISECONDS = 86_400_000;

describe("security.txt (RFC 9116)", () => {
  let silent: RunningAuth;
  let auth: RunningAuth;
  before(async () => {
    silent = await runAuth();
    auth = await runAuth({ SECURITY_CONTACT: CONTACT }, silent);
  });
  after(async () => {
    await auth.stop();
    await silent.stop();
  });

  const fieldsOf = (body: string) =>
    Object.fromEntries(
      body
        .trimEnd()
        .split("\n")
        .map((line) => line.split(/: (.*)/, 2)),
    );

  it("names the contact, the languages and its own address, as text in UTF-8 (2.5, 3)", async () => {
    const { status, headers, body } = await auth.browse({ path: PATH });
    expect([status, headers["content-type"]]).to.deep.equal([200, "text/plain; charset=utf-8"]);
    const { Expires: _, ...fields } = fieldsOf(body);
    expect(fields).to.deep.equal({
      Contact: CONTACT,
      "Preferred-Languages": "cs, en",
      Canonical: `${ISSUER}${PATH}`,
    });
  });

  it("expires within a year from the moment it is read (2.5.5)", async () => {
    const { Expires } = fieldsOf((await auth.browse({ path: PATH })).body);
    expect(Expires).to.match(/^\d{4}-\d\d-\d\dT00:00:00\.000Z$/);
    const days = (Date.parse(String(Expires)) - auth.clock.now().getTime()) / DAY_MILLISECONDS;
    expect(days).to.be.within(90, 365);
  });

  it("is not there without a contact (404), nor on the other listeners", async () => {
    expect((await silent.browse({ path: PATH })).status).to.equal(404);
    expect((await auth.call({ path: PATH })).status).to.equal(404);
    expect((await auth.callAsBank({ path: PATH })).status).to.equal(404);
  });

  it("accepts as contact only a mailto:, https: or tel: address without a line break (2.5.3)", () => {
    const contactOf = (SECURITY_CONTACT: string) =>
      configure({ ...auth.environment, SECURITY_CONTACT }).securityContact;
    for (const right of [CONTACT, "https://bank.example/report", "tel:+420-800-123-456"])
      expect(contactOf(right)).to.equal(right);
    for (const wrong of [
      "security@bank.example",
      "http://bank.example/",
      `${CONTACT}\nExpires: never`,
      "mailto:",
    ])
      expect(() => contactOf(wrong), wrong).to.throw("SECURITY_CONTACT: must be a URI");
  });
});
