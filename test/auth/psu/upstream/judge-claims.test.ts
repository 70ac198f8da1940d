import { expect } from "chai";
import { judgeClaims } from "../../../../packages/auth/src/psu/upstream/judge-claims.ts";
import { UpstreamRefusal } from "../../../../packages/auth/src/psu/upstream/upstream-refusal.ts";

const NOW = new Date("2026-07-31T12:00:00.500Z");
const SETTINGS = { clientId: "open-banking", acrValues: ["sca"], psuClaim: "sub", nameClaim: "name" };
const issuedAt = Math.floor(NOW.getTime() / 1000);
const secondsAgo = (seconds: number) => new Date(NOW.getTime() - seconds * 1000);

describe("Claims of a verified ID token", () => {
  function judge(authSecondsAgo: number, askedSecondsAgo: number) {
    const auth_time = Math.floor(secondsAgo(authSecondsAgo).getTime() / 1000);
    const claims = { sub: "bank-0042", acr: "sca", auth_time, iat: issuedAt };
    return judgeClaims(claims, SETTINGS, { askedAt: secondsAgo(askedSecondsAgo), now: NOW });
  }

  it("are taken with an authentication at most five minutes old, whenever it was asked for (RTS Article 4)", () => {
    expect(judge(299, 590).psu).to.equal("bank-0042");
    expect(() => judge(301, 590)).to.throw(UpstreamRefusal, "auth_time");
  });

  it("are refused if the authentication predates the question or is to come, beyond clock differences", () => {
    expect(judge(40, 10).psu).to.equal("bank-0042");
    expect(() => judge(42, 10)).to.throw(UpstreamRefusal, "auth_time");
    expect(() => judge(-32, 10)).to.throw(UpstreamRefusal, "auth_time");
  });

  it("are refused if issued before the question or later than now, beyond clock differences (OIDC Core 3.1.3.7, point 10)", () => {
    const judgeIssued = (iat: unknown) => {
      const claims = { sub: "bank-0042", acr: "sca", auth_time: issuedAt, iat };
      return () => judgeClaims(claims, SETTINGS, { askedAt: secondsAgo(10), now: NOW });
    };
    for (const iat of [issuedAt - 40, issuedAt + 30]) expect(judgeIssued(iat)().psu).to.equal("bank-0042");
    // The log says how far off a clock is, however long the PSU took; 41.5 s here.
    expect(judgeIssued(issuedAt - 41)).to.throw(
      UpstreamRefusal,
      /^iat is before the question, 42 s in the past$/,
    );
    expect(judgeIssued(issuedAt + 91)).to.throw(UpstreamRefusal, /^iat is 91 s in the future$/);
    expect(judgeIssued(issuedAt + 31)).to.throw(UpstreamRefusal, "iat");
    for (const iat of [Number.NaN, "now", undefined])
      expect(judgeIssued(iat)).to.throw(UpstreamRefusal, "iat is missing or not a number");
  });

  it("tell when the PSU authenticated, not when the answer came, and never a later time (RTS Article 4)", () => {
    expect(judge(240, 590).authenticatedAt).to.deep.equal(new Date("2026-07-31T11:56:00Z"));
    expect(judge(-20, 10).authenticatedAt).to.deep.equal(NOW);
  });

  it("give a name of bounded length that every store takes, or else the id", () => {
    const nameOf = (name: unknown) => {
      const claims = { sub: "bank-0042", acr: "sca", auth_time: issuedAt, iat: issuedAt, name };
      return judgeClaims(claims, SETTINGS, { askedAt: NOW, now: NOW }).displayName;
    };
    expect(nameOf("x".repeat(100_000))).to.have.length(200);
    expect(nameOf("Jana\0 \ud800")).to.equal("Jana \ufffd");
    for (const name of [undefined, 7, "", " ", "\0"]) expect(nameOf(name)).to.equal("bank-0042");
  });
});
