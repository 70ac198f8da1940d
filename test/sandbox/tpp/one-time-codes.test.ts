import { expect } from "chai";
import { findOneTimeCodeStep, readTotpSecret } from "../../../packages/auth/src/psu/sandbox/one-time-code.ts";
import { chooseStep, oneTimeCode, otpauthUri } from "../../../packages/sandbox/src/tpp/one-time-codes.ts";

const SECRET = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";
const NOW = 1_000_000 * 30_000 + 12_345;

describe("One-time codes of a demo PSU", () => {
  it("match RFC 6238 appendix B, cut to six digits", () => {
    expect(oneTimeCode(SECRET, Math.floor(59 / 30)).code).to.equal("287082");
    expect(oneTimeCode(SECRET, Math.floor(1_111_111_109 / 30)).code).to.equal("081804");
  });

  it("are at first the current one, then the next at once, and then a later one after waiting", () => {
    expect(chooseStep(NOW, -1)).to.deep.equal({ step: 1_000_000, waitMs: 0 });
    expect(chooseStep(NOW, 1_000_000)).to.deep.equal({ step: 1_000_001, waitMs: 0 });
    expect(chooseStep(NOW, 1_000_001)).to.deep.equal({ step: 1_000_002, waitMs: 30_000 - 12_345 });
  });

  it("are accepted by the bank's own check at the moment they are given", () => {
    for (const lastUsed of [-1, 999_999, 1_000_000, 1_000_001]) {
      const { step, waitMs } = chooseStep(NOW, lastUsed);
      const { code } = oneTimeCode(SECRET, step);
      expect(findOneTimeCodeStep(readTotpSecret(SECRET), code, new Date(NOW + waitMs))).to.equal(step);
    }
  });

  it("are also available from an authenticator app", () => {
    const uri = otpauthUri({ username: "jana", totpSecret: SECRET });
    expect(uri).to.match(/^otpauth:\/\/totp\//);
    expect(new URL(uri).searchParams.get("secret")).to.equal(SECRET);
  });
});
