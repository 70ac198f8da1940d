import { X509Certificate } from "node:crypto";
import { expect } from "chai";
import { makeStranger } from "../../packages/resource/src/core-kit/stranger-identity.ts";

describe("the stranger's certificate with which the kit calls a core system", () => {
  for (const now of [
    "2026-11-29T12:00:00Z",
    "2049-12-31T12:00:00Z",
    "2050-01-01T12:00:00Z",
    "2077-02-28T23:59:59Z",
  ])
    it(`is valid a day before and a day after ${now} (RFC 5280 4.1.2.5)`, () => {
      const { certificate } = makeStranger(new Date(now));
      const { validFrom, validTo } = new X509Certificate(certificate);
      const ends = [validFrom, validTo].map((each) => Date.parse(each) - Date.parse(now));
      expect(ends).to.deep.equal([-86_400_000, 86_400_000]);
    });
});
