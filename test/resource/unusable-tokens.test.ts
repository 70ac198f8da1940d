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
const REFUSED = "too_many_unusable_tokens";

describe("unusable tokens of one TPP (RFC 6585 section 4)", () => {
  let resource: RunningResource;
  let madeUp: number;
  beforeEach(async () => {
    madeUp = 0;
    resource = await runResource({ UNUSABLE_TOKENS_PER_MINUTE: `${ALLOWED}` });
  });
  afterEach(() => resource.stop());

  const statusOf = async (token: string, certificate = "aisp-pisp") =>
    (await resource.call({ token, certificate })).status;
  const makeUp = (certificate?: string) => {
    madeUp += 1;
    return statusOf(`made-up-${madeUp}`, certificate);
  };

  async function useUp(): Promise<void> {
    for (let call = 0; call < ALLOWED; call += 1) expect(await makeUp()).to.equal(401);
    expect(await makeUp()).to.equal(429);
  }

  it("are asked about as often as allowed when many come at once; the rest is refused without asking", async () => {
    const answers = Array.from({ length: CALLS }, () => makeUp());
    expect(await tally(answers)).to.deep.equal({ 401: ALLOWED, 429: CALLS - ALLOWED });
    expect(resource.auth.asked).to.have.length(ALLOWED);
    expect(await resource.metric(`admission_refusals_total{code="${REFUSED}"`)).to.equal(CALLS - ALLOWED);
  });

  it("are refused with the time when one is looked at again, and with the TPP in the log", async () => {
    await useUp();
    const refused = await resource.call({ token: "one-more" });
    const { organisationIdentifier, thumbprint } = resource.tpp("aisp-pisp");
    expectLater(resource, refused, {
      seconds: WAIT_SECONDS,
      message:
        "Too many of the access tokens that you sent were not valid. Tokens that were valid a moment ago still work.",
      logged: { refusal: REFUSED, organisationIdentifier, thumbprint, role: "PSP_AI", scope: "aisp" },
    });
    expect(JSON.stringify(resource.logLines)).not.to.include("one-more");
  });

  it("hold up no other TPP, nor the same TPP with tokens that are remembered", async () => {
    const remembered = resource.giveToken();
    expect(await statusOf(remembered)).to.equal(200);
    const flood = Array.from({ length: CALLS }, () => makeUp());
    const others = Array.from({ length: 5 }, () => statusOf(resource.giveToken("second-tpp"), "second-tpp"));
    expect(await tally([...others, statusOf(remembered)])).to.deep.equal({ 200: 6 });
    await Promise.all(flood);
    expect(await makeUp()).to.equal(429);
    expect(await statusOf(remembered)).to.equal(200);
    expect(await statusOf(resource.giveToken("second-tpp"), "second-tpp")).to.equal(200);
  });

  it("make a new good token of the TPP wait exactly as long as Retry-After says", async () => {
    await useUp();
    const token = resource.giveToken();
    expect(await statusOf(token)).to.equal(429);
    resource.clock.advance(WAIT_SECONDS * 1000 - 1);
    const refused = await resource.call({ token });
    // Whole seconds, and never too few.
    expect([refused.status, refused.headers["retry-after"]]).to.deep.equal([429, "1"]);
    resource.clock.advance(1);
    expect(await statusOf(token)).to.equal(200);
    expect(await makeUp()).to.equal(401);
    expect(await makeUp()).to.equal(429);
  });

  it("are allowed again in full after a minute", async () => {
    await useUp();
    resource.clock.advance(60_000);
    await useUp();
  });

  it("are counted for the TPP, whichever of its certificates is used", async () => {
    await useUp();
    expect(await makeUp("aisp")).to.equal(429);
  });

  it("include those of another TPP and those bound to nothing", async () => {
    for (let pair = 0; pair < ALLOWED / 2; pair += 1) {
      expect(await statusOf(resource.giveToken("second-tpp"))).to.equal(401);
      expect(await statusOf(resource.giveToken("aisp-pisp", { cnf: undefined }))).to.equal(401);
    }
    expect(await makeUp()).to.equal(429);
  });

  it("do not include good ones, however many are new or come at once", async () => {
    for (let round = 0; round < 2; round += 1) {
      const answers = Array.from({ length: CALLS }, () => statusOf(resource.giveToken()));
      expect(await tally(answers)).to.deep.equal({ 200: CALLS });
    }
    await useUp();
  });

  it("do not include those of another certificate of the TPP, as after a renewal", async () => {
    for (let call = 0; call <= ALLOWED; call += 1)
      expect(await statusOf(resource.giveToken("aisp"))).to.equal(401);
    await useUp();
  });

  it("do not include good ones that wait for slow answers: all of these are answered", async () => {
    const release = holdAnswers(resource.auth);
    const vain = Array.from({ length: ALLOWED - 1 }, () => makeUp());
    const good = Array.from({ length: CALLS }, () => statusOf(resource.giveToken()));
    await eventually(() => resource.auth.asked.length === ALLOWED);
    release();
    expect(await tally([...vain, ...good])).to.deep.equal({ 200: CALLS, 401: ALLOWED - 1 });
  });

  it("do not include those that auth did not answer", async () => {
    await resource.auth.close();
    const answers = Array.from({ length: CALLS }, () => makeUp());
    expect(await tally(answers)).to.deep.equal({ 503: CALLS });
    await resource.auth.reopen();
    await useUp();
  });

  it("do not affect a TPP whose token another TPP tries at the same time", async () => {
    const token = resource.giveToken("second-tpp");
    await useUp();
    const [thief, owner] = await Promise.all([statusOf(token), statusOf(token, "second-tpp")]);
    expect([thief, owner]).to.deep.equal([429, 200]);
  });
});
