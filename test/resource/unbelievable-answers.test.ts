import { expect } from "chai";
import type { UnsignedAnswer } from "../support/test-signing-keys.ts";
import { type RunningResource, runResource } from "./running-resource.ts";

describe("a token description that cannot be believed (RFC 9701 section 5)", () => {
  let resource: RunningResource;
  before(async () => {
    resource = await runResource();
  });
  after(() => resource.stop());
  beforeEach(() => {
    resource.auth.alter = (answer) => answer;
    resource.auth.write = undefined;
  });

  const statusOf = async (token: string) => (await resource.call({ token })).status;

  const FORGERIES: Readonly<Record<string, (answer: UnsignedAnswer) => UnsignedAnswer>> = {
    "without a signature": ({ header, claims }) => ({ header: { ...header, alg: "none" }, claims }),
    "of another issuer": ({ header, claims }) => ({
      header,
      claims: { ...claims, iss: "https://evil.example" },
    }),
    "for another caller": ({ header, claims }) => ({ header, claims: { ...claims, aud: "other" } }),
    "that is another kind of JWT": ({ header, claims }) => ({ header: { ...header, typ: "at+jwt" }, claims }),
    "without a type": ({ header: { alg, kid }, claims }) => ({ header: { alg, kid: kid ?? "" }, claims }),
    "without the time of issue": ({ header, claims }) => {
      const { iat: _iat, ...others } = claims;
      return { header, claims: others };
    },
    "of an unknown key": ({ header, claims }) => ({ header: { ...header, kid: "unknown" }, claims }),
    "without the token's description": ({ header, claims }) => {
      const { token_introspection: _claim, ...others } = claims;
      return { header, claims: others };
    },
    "with a text for the token's description": ({ header, claims }) => ({
      header,
      claims: { ...claims, token_introspection: "active" },
    }),
  };
  for (const [what, alter] of Object.entries(FORGERIES)) {
    it(`admits nobody: one ${what}`, async () => {
      resource.auth.alter = alter;
      const token = resource.giveToken();
      expect(await statusOf(token)).to.equal(503);
      resource.auth.alter = (answer) => answer;
      expect(await statusOf(token)).to.equal(200);
    });
  }

  it("is one of an auth with another ISSUER, and the log names both", async () => {
    resource.auth.alter = ({ header, claims }) => ({
      header,
      claims: { ...claims, iss: "https://new.example" },
    });
    expect(await statusOf(resource.giveToken())).to.equal(503);
    const { issuer } = resource.config;
    const detail = `auth signs as "https://new.example", but ISSUER is ${issuer} here; it must be the same in both`;
    expect(resource.lastCall()).to.include({ code: "answer_unverified", detail });
  });

  const WRITTEN: Readonly<Record<string, (jwt: string) => { status: number; body: string }>> = {
    "that was changed on its way": (jwt) => {
      const [header, , signature] = jwt.split(".");
      const claims = Buffer.from(JSON.stringify({ iss: "x" })).toString("base64url");
      return { status: 200, body: `${header}.${claims}.${signature}` };
    },
    "in plain JSON": () => ({ status: 200, body: '{"active":true}' }),
    "that is empty": () => ({ status: 200, body: "" }),
    "with status 401": (body) => ({ status: 401, body }),
    "with status 500": (body) => ({ status: 500, body }),
  };
  for (const [what, write] of Object.entries(WRITTEN)) {
    it(`admits nobody: one ${what}`, async () => {
      resource.auth.write = write;
      expect(await statusOf(resource.giveToken())).to.equal(503);
    });
  }

  const MISSING = [
    "sub",
    "client_id",
    "exp",
    "consent_id",
    "organisation_identifier",
    "account_ids",
    "consented_services",
  ];
  for (const claim of MISSING) {
    it(`admits nobody: one without ${claim}`, async () => {
      const token = resource.giveToken("aisp-pisp", { [claim]: undefined });
      expect(await statusOf(token)).to.equal(503);
      expect(resource.lastCall()).to.include({ code: "answer_malformed" });
    });
  }

  it("admits nobody: one whose consented_services is a text that contains the service", async () => {
    const token = resource.giveToken("aisp-pisp", { consented_services: "no aisp" });
    expect(await statusOf(token)).to.equal(503);
    expect(resource.lastCall()).to.include({ code: "answer_malformed" });
  });

  for (const exp of ["1700000000", 1e15, 1.5, null]) {
    it(`admits nobody: one whose end is ${JSON.stringify(exp)} (RFC 7519 section 2)`, async () => {
      expect(await statusOf(resource.giveToken("aisp-pisp", { exp }))).to.equal(503);
    });
  }

  for (const authTime of ["1700000000", 1e15, 1.5, null]) {
    it(`admits nobody: one whose sign-in was at ${JSON.stringify(authTime)} (RFC 9470 section 6.2)`, async () => {
      const token = resource.giveToken("aisp-pisp", { auth_time: authTime });
      expect(await statusOf(token)).to.equal(503);
      expect(resource.lastCall()).to.include({ code: "answer_malformed" });
    });
  }

  it("is not one of an older auth, which does not say when its PSU signed in", async () => {
    expect(await statusOf(resource.giveToken("aisp-pisp", { auth_time: undefined }))).to.equal(200);
  });

  it("admits nobody: one signed by a foreign key under a known key id", async () => {
    const token = resource.giveToken();
    await resource.auth.signWithForeignKey();
    expect(await statusOf(token)).to.equal(503);
    expect(resource.lastCall()).to.include({ code: "answer_unverified" });
  });
});
