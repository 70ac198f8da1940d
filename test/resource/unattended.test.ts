import { randomUUID } from "node:crypto";
import { expect } from "chai";
import type { RawAnswer } from "../support/raw-https.ts";
import { ACCOUNTS } from "./resource-calls.ts";
import { runResource } from "./running-resource.ts";
import { EMPTY, HISTORY } from "./small-movements.ts";
import { type AwayCall, HOUR, MINUTE, runTwoResources, type TwoResources } from "./two-resources.ts";

const BALANCE = `${HISTORY}/balance`;
const TRANSACTIONS = `${HISTORY}/transactions?size=1`;

describe("access without the PSU (RTS Article 36(5)(b))", () => {
  let resources: TwoResources;
  let consent: string;
  let begun: number;
  before(async () => {
    begun = performance.now();
    resources = await runTwoResources();
  });
  after(() => resources.stop());
  beforeEach(() => {
    consent = `consent-${randomUUID()}`;
  });

  const ask = (changed: Partial<AwayCall> = {}, place = 0) =>
    resources.ask({ consent, of: TRANSACTIONS, ...changed }, place);
  const statusOf = async (changed?: Partial<AwayCall>, place?: number) => (await ask(changed, place)).status;

  /** Uses up the four accesses to one thing, each in the other process than the one before. */
  async function exhaust(changed: Partial<AwayCall> = {}): Promise<void> {
    for (let access = 0; access < 4; access += 1) {
      expect(await statusOf(changed, access)).to.equal(200);
      await resources.advance(16 * MINUTE);
    }
  }

  const errorIn = ({ body }: RawAnswer) => JSON.parse(body).errors[0];

  it("is refused the fifth time in 24 hours by every process, with the time of the next one (RFC 6585 section 4)", async () => {
    await exhaust();
    for (const place of [0, 1]) {
      const refused = await ask({}, place);
      expect(refused.status).to.equal(429);
      expect(errorIn(refused)).to.deep.include({ error: "NARR" });
      const { CONTINUES_AT } = errorIn(refused).parameters;
      const now = resources.processes[0].clock.now().getTime();
      const seconds = Number(refused.headers["retry-after"]);
      expect(seconds).to.be.within(22 * 3600, 23 * 3600);
      // The clock of the test stands still while the database's goes on. Seconds are whole.
      const ahead = (Date.parse(CONTINUES_AT) - now) / 1000 - seconds;
      expect(ahead).to.be.within(-1, (performance.now() - begun) / 1000 + 1);
      expect(resources.processes[place === 0 ? 0 : 1].lastCall()).to.include({ refusal: "access_limit" });
    }
  });

  it("may begin again after the time in Retry-After, and no sooner", async () => {
    await exhaust();
    const seconds = Number((await ask()).headers["retry-after"]);
    await resources.advance(seconds * 1000 - MINUTE);
    expect(await statusOf()).to.equal(429);
    await resources.advance(MINUTE);
    expect(await statusOf({}, 1)).to.equal(200);
  });

  it("is served every page once begun, also when all accesses are used up meanwhile", async () => {
    for (let access = 0; access < 3; access += 1) {
      await ask();
      await resources.advance(16 * MINUTE);
    }
    for (const minute of [0, 5, 5, 4]) {
      await resources.advance(minute * MINUTE);
      for (const place of [0, 1])
        expect(await statusOf({ of: `${TRANSACTIONS}&page=1` }, place), `${minute}`).to.equal(200);
    }
    await resources.advance(MINUTE + 1_000);
    expect(await statusOf()).to.equal(429);
  });

  it("is counted separately by consent, account and resource, and never for the list of accounts", async () => {
    await exhaust();
    expect(await statusOf()).to.equal(429);
    expect(await statusOf({ of: BALANCE })).to.equal(200);
    expect(await statusOf({ of: `${EMPTY}/transactions` })).to.equal(200);
    expect(await statusOf({ consent: `consent-${randomUUID()}` })).to.equal(200);
    for (let call = 0; call < 6; call += 1) {
      expect(await statusOf({ path: ACCOUNTS })).to.equal(200);
      await resources.advance(16 * MINUTE);
    }
  });

  it("is recognised by User-Involved in any letter case; without the header the PSU is there (COBS OpenAPI)", async () => {
    await exhaust({ userInvolved: "FALSE" });
    expect(await statusOf({ userInvolved: "false" })).to.equal(429);
    for (const userInvolved of ["true", "True", ""]) expect(await statusOf({ userInvolved })).to.equal(200);
    await resources.advance(25 * HOUR);
    for (const userInvolved of ["true", "", "true", "", "true", ""]) {
      expect(await statusOf({ userInvolved })).to.equal(200);
      await resources.advance(16 * MINUTE);
    }
    expect(await statusOf()).to.equal(200);
  });

  it("is counted alike with HEAD and GET", async () => {
    await exhaust({ method: "HEAD" });
    expect(await statusOf()).to.equal(429);
    const refused = await ask({ method: "HEAD" });
    expect([refused.status, refused.body]).to.deep.equal([429, ""]);
  });

  it("also begins with a page past the last one, which shows that nothing was booked since", async () => {
    const pastTheEnd = { of: `${HISTORY}/transactions?page=999` };
    for (let access = 0; access < 4; access += 1) {
      expect(await statusOf(pastTheEnd, access)).to.equal(404);
      await resources.advance(16 * MINUTE);
    }
    expect(await statusOf(pastTheEnd)).to.equal(429);
  });

  it("does not begin with a faulty call, which reveals nothing of the account (400)", async () => {
    const faulty = {
      [`${HISTORY}/transactions?size=x`]: 400,
      [`${HISTORY}/transactions?currency=JPY`]: 400,
    };
    for (const [of, status] of Object.entries(faulty))
      for (let access = 0; access < 5; access += 1) {
        expect(await statusOf({ of }), of).to.equal(status);
        await resources.advance(16 * MINUTE);
      }
    await exhaust();
  });

  it("does not begin with a caller that has no right to the account", async () => {
    const other = await ask({ of: "psu-one-01/transactions" });
    expect(other.status).to.equal(404);
    expect(await statusOf({ certificate: "pisp" })).to.be.oneOf([401, 403]);
    await exhaust();
  });

  it("has a higher limit for a TPP with which the bank has agreed on one, and for no other", async () => {
    const [{ organisationIdentifier }] = [resources.processes[0].tpp("aisp-pisp")];
    const generous = await runResource({
      DATABASE_URL: resources.clock.url,
      UNATTENDED_ACCESSES: "1",
      UNATTENDED_ACCESSES_OF_TPPS: `${organisationIdentifier}=6`,
    });
    try {
      const token = () => generous.giveToken("aisp-pisp", { consent_id: consent });
      const path = `${ACCOUNTS}/${TRANSACTIONS}`;
      const headers = { "user-involved": "false" };
      const statuses: number[] = [];
      const ofAnother: number[] = [];
      for (let access = 0; access < 7; access += 1) {
        statuses.push((await generous.call({ token: token(), path, headers })).status);
        const others = generous.giveToken("second-tpp", { consent_id: `${consent}-2` });
        const call = { certificate: "second-tpp", token: others, path, headers };
        if (access < 2) ofAnother.push((await generous.call(call)).status);
        generous.clock.advance(16 * MINUTE);
        await resources.advance(16 * MINUTE);
      }
      expect(statuses).to.deep.equal([...Array(6).fill(200), 429]);
      expect(ofAnother).to.deep.equal([200, 429]);
    } finally {
      await generous.stop();
    }
  });

  it("is assumed without the header if the bank says so, and its count outlives a restart", async () => {
    await exhaust();
    const restarted = await runResource({
      DATABASE_URL: resources.clock.url,
      USER_INVOLVED_DEFAULT: "unattended",
    });
    try {
      const path = `${ACCOUNTS}/${TRANSACTIONS}`;
      const call = (headers = {}) =>
        restarted.call({ token: restarted.giveToken("aisp-pisp", { consent_id: consent }), path, headers });
      expect((await call()).status).to.equal(429);
      expect((await call({ "user-involved": "true" })).status).to.equal(200);
    } finally {
      await restarted.stop();
    }
  });

  it("costs one question to the database in each process, and a metric counts those saved", async () => {
    const figure = (name: string) =>
      resources.processes[0].metric(`cache_${name}{cache="unattended_accesses"`);
    const [hits, misses] = [await figure("hits_total"), await figure("misses_total")];
    for (let page = 0; page < 10; page += 1) await ask();
    expect((await figure("hits_total")) - hits).to.equal(9);
    expect((await figure("misses_total")) - misses).to.equal(1);
    expect(await figure("entries")).to.be.greaterThan(0);
  });
});
