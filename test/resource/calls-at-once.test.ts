import type { ServerResponse } from "node:http";
import { expect } from "chai";
import { eventually } from "../support/eventually.ts";
import type { RawAnswer } from "../support/raw-https.ts";
import { testCertificates } from "../support/test-certificates.ts";
import { SAMPLE_ACCOUNT } from "./connector/sample-answers.ts";
import { answering, type ScriptedCore, startScriptedCore } from "./connector/scripted-core.ts";
import { type RunningResource, runResource } from "./running-resource.ts";
import { accountIdsOf, MANY } from "./small-bank.ts";

const AT_ONCE = 2;
const WAITING = 10 * AT_ONCE;
const BUSY = "psu-busy";

function accountsOf(psuId: string) {
  return { psuId, accounts: accountIdsOf(MANY).map((id) => ({ ...SAMPLE_ACCOUNT, id })) };
}

describe("simultaneous calls of one TPP (RL-01)", function calls() {
  this.timeout(120_000);
  let core: ScriptedCore;
  let resource: RunningResource;
  /** Answers about the busy PSU, which the core system holds back. */
  let held: ServerResponse[];
  before(async () => {
    core = await startScriptedCore();
    const environment = {
      BANK: "http",
      CORE_URL: core.url.href,
      CORE_AUTHORITY_FILE: (await testCertificates()).privateCaFile,
      CORE_TIMEOUT_MILLISECONDS: "20000",
      CORE_CALLS_AT_ONCE: `${2 * AT_ONCE}`,
      CALLS_AT_ONCE_PER_TPP: `${AT_ONCE}`,
    };
    // This machine may be busy.
    resource = await runResource(environment, undefined, { callWaitMilliseconds: 20_000 });
  });
  beforeEach(() => {
    held = [];
    core.behave((request, response) => {
      if (request.url?.includes(BUSY)) held.push(response);
      else answering(accountsOf(MANY))(request, response);
    });
  });
  after(async () => {
    await resource.stop();
    await core.die();
  });

  const ask = (certificate: string, sub: string, claims: object = {}) =>
    resource.call({
      certificate,
      token: resource.giveToken(certificate, { sub, ...claims }),
      agent: false,
    });
  const askBusily = (calls: number, claims: object = {}): readonly Promise<RawAnswer>[] =>
    Array.from({ length: calls }, () => ask("aisp-pisp", BUSY, claims));
  /** Has the core system answer whatever comes. */
  function release(): void {
    const answer = answering(accountsOf(BUSY));
    core.behave(answer);
    for (const response of held) answer(response.req, response);
  }
  const statusesOf = async (answers: readonly Promise<RawAnswer>[]) =>
    (await Promise.all(answers)).map(({ status }) => status);

  it("hold up no other TPP, and are all answered in turn", async () => {
    const calls = askBusily(AT_ONCE + WAITING);
    await eventually(() => held.length === AT_ONCE);
    expect((await ask("second-tpp", MANY)).status).to.equal(200);
    expect(held).to.have.length(AT_ONCE);
    release();
    expect(await statusesOf(calls)).to.deep.equal(calls.map(() => 200));
  });

  it("are refused with 429 when too many already wait, without asking the bank", async () => {
    const before = core.asked.length;
    const calls = askBusily(50);
    const refused = () => resource.logLines.filter(({ refusal }) => refusal === "calls_at_once");
    await eventually(() => refused().length === 50 - AT_ONCE - WAITING);
    release();
    const answers = await Promise.all(calls);
    const refusals = answers.filter(({ status }) => status === 429);
    expect(refusals).to.have.length(50 - AT_ONCE - WAITING);
    expect(answers.filter(({ status }) => status === 200)).to.have.length(AT_ONCE + WAITING);
    expect(refusals[0]?.headers["retry-after"]).to.equal("1");
    const continuesAt = new Date(resource.clock.now().getTime() + 1_000).toISOString();
    expect(JSON.parse(refusals[0]?.body ?? "").errors).to.deep.equal([
      {
        error: "NARR",
        scope: null,
        parameters: { CONTINUES_AT: continuesAt },
        message:
          "too many of your calls are in progress at the same time; wait for answers before you send more",
      },
    ]);
    expect(await resource.metric('access_limits_total{limit="calls_at_once"')).to.equal(refusals.length);
    expect(core.asked.slice(before)).to.have.length(AT_ONCE + WAITING);
  });

  it("are checked again after waiting, and refused if their consent ended meanwhile", async () => {
    const first = askBusily(AT_ONCE);
    await eventually(() => held.length === AT_ONCE);
    const token = resource.giveToken("aisp-pisp", { sub: BUSY, consent_id: "consent-that-ends" });
    const waiting = resource.call({ token, agent: false });
    await eventually(() => resource.auth.asked.some((form) => form.get("token") === token));
    resource.auth.tokens.delete(token);
    const position = resource.auth.feed.tell("consent", "consent-that-ends");
    await eventually(() => resource.auth.feed.takenUpTo >= position);
    release();
    expect((await waiting).status).to.equal(401);
    expect(await statusesOf(first)).to.deep.equal(first.map(() => 200));
  });
});

const DEFAULT_SHARE = 24;

for (const [numbers, changed, mostWaiting] of [
  ["the default numbers", {}, 0],
  ["no limit of its calls", { CALLS_AT_ONCE_PER_TPP: "10000000" }, 64 - DEFAULT_SHARE],
] as const)
  describe(`with ${numbers}, 64 calls of one TPP at a core system that does not answer them (RL-01)`, function calls() {
    this.timeout(120_000);
    let core: ScriptedCore;
    let resource: RunningResource;
    let heldBack: Promise<unknown>;
    const held: ServerResponse[] = [];
    before(async () => {
      core = await startScriptedCore();
      core.behave((request, response) => {
        if (request.url?.includes(BUSY)) held.push(response);
        else answering(accountsOf(MANY))(request, response);
      });
      const environment = {
        BANK: "http",
        CORE_URL: core.url.href,
        CORE_AUTHORITY_FILE: (await testCertificates()).privateCaFile,
        CORE_TIMEOUT_MILLISECONDS: "30000",
        ...changed,
      };
      resource = await runResource(environment, undefined, { callWaitMilliseconds: 30_000 });
      const busy = { certificate: "aisp-pisp", token: resource.giveToken("aisp-pisp", { sub: BUSY }) };
      const calls = Array.from({ length: 64 }, () => resource.call({ ...busy, agent: false }));
      heldBack = Promise.allSettled(calls);
      await eventually(() => held.length >= DEFAULT_SHARE);
    });
    after(async () => {
      await resource.stop();
      await core.die();
      await heldBack;
    });

    it("take three quarters of the turns there", async () => {
      expect(held).to.have.length(DEFAULT_SHARE);
    });

    it("hold up no call of another TPP", async () => {
      const token = resource.giveToken("second-tpp", { sub: MANY });
      const others = Array.from({ length: 5 }, () => resource.call({ certificate: "second-tpp", token }));
      const statuses = (await Promise.all(others)).map(({ status }) => status);
      expect(statuses).to.deep.equal(others.map(() => 200));
      expect(held).to.have.length(DEFAULT_SHARE);
    });

    it(`keep at most ${mostWaiting} questions waiting there`, async () => {
      expect(await resource.metric("core_calls_waiting")).to.be.at.most(mostWaiting);
    });

    it("hold up no PSU who chooses accounts for a consent", async () => {
      const caller = resource.certificates.bank.auth;
      const { status } = await resource.askBank(`/bank/psus/${MANY}/accounts`, { caller });
      expect(status).to.equal(200);
    });
  });
