import { expect } from "chai";
import { eventually } from "../support/eventually.ts";
import { holdAnswers } from "../support/introspection-server.ts";
import { expectLater } from "./expect-later.ts";
import { type RunningResource, runResource } from "./running-resource.ts";
import { tally } from "./tally.ts";

const ALLOWED = 10;
/** Until one more is allowed. */
const WAIT_SECONDS = 6;
const CALLS = 50;
const REFUSED = "too_many_new_tokens";

describe("new tokens of one TPP (RFC 6585 section 4)", () => {
  let resource: RunningResource;
  let madeUp: number;
  beforeEach(async () => {
    madeUp = 0;
    resource = await runResource({ NEW_TOKENS_PER_MINUTE: `${ALLOWED}` });
  });
  afterEach(() => resource.stop());

  const statusOf = async (token: string, certificate = "aisp-pisp") =>
    (await resource.call({ token, certificate })).status;
  const useNew = (certificate = "aisp-pisp") => statusOf(resource.giveToken(certificate), certificate);
  const makeUp = () => {
    madeUp += 1;
    return statusOf(`made-up-${madeUp}`);
  };

  async function useUp(): Promise<void> {
    for (let call = 0; call < ALLOWED; call += 1) expect(await useNew()).to.equal(200);
    expect(await useNew()).to.equal(429);
  }

  it("are asked about as often as allowed when many come at once; the rest is refused without asking", async () => {
    const answers = Array.from({ length: CALLS }, () => useNew());
    expect(await tally(answers)).to.deep.equal({ 200: ALLOWED, 429: CALLS - ALLOWED });
    expect(resource.auth.asked).to.have.length(ALLOWED);
    expect(await resource.metric(`admission_refusals_total{code="${REFUSED}"`)).to.equal(CALLS - ALLOWED);
  });

  it("are refused with the time when one is looked at again, and with the TPP in the log", async () => {
    await useUp();
    const refused = await resource.call({ token: resource.giveToken() });
    const { organisationIdentifier, thumbprint } = resource.tpp("aisp-pisp");
    expectLater(resource, refused, {
      seconds: WAIT_SECONDS,
      message:
        "You sent too many different access tokens in a short time. Use each one until it expires. Tokens that you used a moment ago still work.",
      logged: { refusal: REFUSED, organisationIdentifier, thumbprint },
    });
  });

  it("hold up no other TPP, nor the same TPP with tokens that are remembered", async () => {
    const remembered = resource.giveToken();
    expect(await statusOf(remembered)).to.equal(200);
    await tally(Array.from({ length: CALLS }, () => useNew()));
    expect(await useNew()).to.equal(429);
    expect(await statusOf(remembered)).to.equal(200);
    expect(await useNew("second-tpp")).to.equal(200);
  });

  it("are looked at again exactly when Retry-After says, and in full after a minute", async () => {
    await useUp();
    const token = resource.giveToken();
    resource.clock.advance(WAIT_SECONDS * 1000 - 1);
    expect(await statusOf(token)).to.equal(429);
    resource.clock.advance(1);
    expect(await statusOf(token)).to.equal(200);
    resource.clock.advance(60_000);
    await useUp();
  });

  it("count once each, however many calls have them and whether these come at once", async () => {
    const token = resource.giveToken();
    const calls = Array.from({ length: CALLS }, () => statusOf(token));
    expect(await tally(calls)).to.deep.equal({ 200: CALLS });
    expect(await statusOf(token)).to.equal(200);
    for (let call = 1; call < ALLOWED; call += 1) expect(await useNew()).to.equal(200);
    expect(await useNew()).to.equal(429);
  });

  it("include unusable ones, and those of another certificate of the TPP", async () => {
    for (let pair = 0; pair < ALLOWED / 2; pair += 1) {
      expect(await makeUp()).to.equal(401);
      expect(await useNew("aisp")).to.equal(200);
    }
    expect(await makeUp()).to.equal(429);
    expect(await useNew()).to.equal(429);
  });

  it("do not include those that auth did not answer", async () => {
    await resource.auth.close();
    for (let round = 0; round < 3; round += 1)
      expect(await tally(Array.from({ length: ALLOWED }, () => useNew()))).to.deep.equal({ 503: ALLOWED });
    await resource.auth.reopen();
    await useUp();
  });

  it("do not affect a TPP whose token another TPP tries at the same time", async () => {
    await useUp();
    const token = resource.giveToken("second-tpp");
    const release = holdAnswers(resource.auth);
    const asked = resource.auth.asked.length;
    const calls = [statusOf(token), statusOf(token, "second-tpp")];
    await eventually(() => resource.auth.asked.length > asked);
    release();
    expect(await Promise.all(calls)).to.deep.equal([429, 200]);
  });
});
