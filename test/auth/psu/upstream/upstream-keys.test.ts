import { expect } from "chai";
import { movableDate } from "../../../support/movable-date.ts";
import { testCertificates } from "../../../support/test-certificates.ts";
import { type HandMadeUpstream, handMadeUpstream, settingsOf } from "./hand-made-upstream.ts";
import { type HostileProvider, startHostileProvider, tokenAnswer } from "./hostile-provider.ts";

const SECOND = 1_000;

describe("The keys of the bank's OpenID provider", () => {
  let provider: HostileProvider;
  let upstream: HandMadeUpstream;
  // The OpenID client knows no clock of ours.
  const date = movableDate();
  beforeEach(async () => {
    provider = await startHostileProvider((await testCertificates()).server.resourceBank);
    upstream = handMadeUpstream(await settingsOf(provider.issuer));
  });
  afterEach(async () => {
    date.restore();
    await upstream.close();
    await provider.close();
  });

  async function signIn(): Promise<string> {
    const { memory, asked } = await upstream.begin();
    provider.redeem = async () => tokenAnswer(await provider.sign(provider.claims(asked.get("nonce") ?? "")));
    const back = { code: "a-code", state: "state-1", iss: provider.issuer };
    return (await upstream.comeBack(memory, back)).outcome;
  }

  const WRONG_KEYS: readonly [string, Readonly<Record<string, unknown>>, RegExp][] = [
    ["a wrong point", { x: "AAAA" }, /^published key: /],
    ["the private part", { d: "AAAA" }, /^published key: /],
    ["uses that are no list", { key_ops: 5 }, /^TypeError: .*key_ops/],
    ["primes that are no list", { oth: 5 }, /^TypeError: .*oth/],
    ["another algorithm", { alg: "ES384" }, /^OAUTH_KEY_SELECTION_FAILED: /],
  ];
  for (const [what, key, detail] of WRONG_KEYS)
    it(`prove nothing when the published one has ${what}, which is logged (RFC 7517 4)`, async () => {
      provider.key = key;
      expect(await signIn()).to.equal("refused");
      expect(upstream.refusals()).to.deep.equal(["answer_untrusted"]);
      expect(upstream.logLines.at(-1)?.detail).to.match(detail);
    });

  it("are fetched once for several sign-ins", async () => {
    expect([await signIn(), await signIn(), provider.keysAsked()]).to.deep.equal([
      "signed-in",
      "signed-in",
      1,
    ]);
  });

  it("are fetched again for an unknown kid, which is refused within a minute of the last time (OIDC Core 10.1.1)", async () => {
    await signIn();
    await provider.rotate();
    expect([await signIn(), provider.keysAsked()]).to.deep.equal(["refused", 1]);
    expect(upstream.refusals()).to.deep.equal(["answer_untrusted"]);
    date.advance(62 * SECOND);
    expect([await signIn(), provider.keysAsked()]).to.deep.equal(["signed-in", 2]);
  });

  it("need a kid while several of one algorithm are published: without, none of them is believed (OIDC Core 10.1)", async () => {
    provider.unnamed = true;
    expect(await signIn()).to.equal("signed-in");
    await provider.publishAnother();
    date.advance(301 * SECOND);
    expect(await signIn()).to.equal("refused");
    expect(upstream.logLines.at(-1)?.detail).to.contain('a "kid" JWT Header Parameter is required');
    provider.unnamed = false;
    date.advance(301 * SECOND);
    expect(await signIn()).to.equal("signed-in");
  });

  it("are fetched at most once a minute, however many unknown kids come", async () => {
    await signIn();
    date.advance(62 * SECOND);
    for (let unknown = 0; unknown < 3; unknown += 1) {
      provider.key = { kid: "another" };
      await provider.rotate();
      expect([await signIn(), provider.keysAsked()]).to.deep.equal(["refused", 2]);
    }
  });

  it("are fetched again after five minutes, until when a withdrawn one still counts", async () => {
    await signIn();
    provider.key = { kid: "another" };
    date.advance(285 * SECOND);
    expect([await signIn(), provider.keysAsked()]).to.deep.equal(["signed-in", 1]);
    date.advance(16 * SECOND);
    expect([await signIn(), provider.keysAsked()]).to.deep.equal(["refused", 2]);
  });
});
