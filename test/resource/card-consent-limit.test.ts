import { makeIban } from "@cobs/cobs-model";
import { expect } from "chai";
import { CARD_CHECK, type CheckedResource, checksAt, questionAbout } from "../conformance/balance-check.ts";
import { eventually } from "../support/eventually.ts";
import { holdAnswers } from "../support/introspection-server.ts";
import type { RawAnswer } from "../support/raw-https.ts";
import { expectLater } from "./expect-later.ts";
import { runResource } from "./running-resource.ts";
import { accountIdsOf, MANY } from "./small-bank.ts";
import { tally } from "./tally.ts";

const ALLOWED = 10;
/** Until one more is allowed. */
const WAIT_SECONDS = 6;
const CALLS = 50;
const REFUSED = "card_consent_limit";
const [FIRST = "", SECOND = "", ...OTHERS] = accountIdsOf(MANY);

/** The IBAN of an account that nobody has here. */
const madeUpIban = (number: number) => makeIban("DE", String(number).padStart(18, "0"));

describe("one card issuer's questions about accounts without a consent (RFC 6585 section 4)", function limit() {
  this.timeout(120_000);
  let checks: CheckedResource;
  let madeUp: number;
  beforeEach(async () => {
    madeUp = 0;
    checks = checksAt(await runResource({ UNUSABLE_TOKENS_PER_MINUTE: `${ALLOWED}` }));
  });
  afterEach(() => checks.resource.stop());

  const askAbout = (account: string, certificate = "all-roles") =>
    checks.ask(CARD_CHECK, questionAbout(account), { certificate });
  const statusOf = async (account: string, certificate?: string) =>
    (await askAbout(account, certificate)).status;
  function askMadeUp(certificate = "all-roles", changed: object = {}): Promise<RawAnswer> {
    madeUp += 1;
    const debtorAccount = { identification: { iban: madeUpIban(madeUp) } };
    return checks.ask(CARD_CHECK, { ...questionAbout(FIRST), debtorAccount, ...changed }, { certificate });
  }
  const makeUp = async (certificate?: string) => (await askMadeUp(certificate)).status;
  const errorsIn = ({ body }: RawAnswer) => JSON.parse(body).errors;

  async function useUp(): Promise<void> {
    for (let call = 0; call < ALLOWED; call += 1) expect(await makeUp()).to.equal(403);
    expect(await makeUp()).to.equal(429);
  }

  it("are looked up as often as allowed when many come at once; the rest is refused without asking", async () => {
    const answers = await Promise.all(Array.from({ length: CALLS }, () => askMadeUp()));
    expect(await tally(answers.map(async ({ status }) => status))).to.deep.equal({
      403: ALLOWED,
      429: CALLS - ALLOWED,
    });
    for (const answer of answers.filter(({ status }) => status === 403))
      expect(errorsIn(answer)[0]).to.include({ error: "AG01" });
    expect(checks.resource.auth.cardConsentLookUps).to.equal(ALLOWED);
    expect(await checks.resource.metric('access_limits_total{limit="card_consents"')).to.equal(
      CALLS - ALLOWED,
    );
  });

  it("are refused with the time when one is looked up again, and with the TPP in the log", async () => {
    await useUp();
    const { resource } = checks;
    const refused = await askMadeUp();
    const { organisationIdentifier, thumbprint } = resource.tpp("all-roles");
    expectLater(resource, refused, {
      seconds: WAIT_SECONDS,
      message:
        "you have asked about too many accounts that do not exist or have no consent for you; you may still ask about those for which you just got an answer",
      logged: { refusal: REFUSED, organisationIdentifier, thumbprint },
    });
    expect(JSON.stringify(resource.logLines)).not.to.include(madeUpIban(madeUp));
  });

  it("hold up no other TPP, nor the same TPP for consents that are remembered", async () => {
    checks.agree(FIRST);
    for (const account of OTHERS.slice(0, 5)) checks.agree(account, "second-tpp");
    expect(await statusOf(FIRST)).to.equal(200);
    const flood = Array.from({ length: CALLS }, () => makeUp());
    const others = OTHERS.slice(0, 5).map((account) => statusOf(account, "second-tpp"));
    expect(await tally([...others, statusOf(FIRST)])).to.deep.equal({ 200: 6 });
    expect(await tally(flood)).to.deep.equal({ 403: ALLOWED, 429: CALLS - ALLOWED });
    expect(await statusOf(FIRST)).to.equal(200);
    expect(await statusOf(OTHERS[0] ?? "", "second-tpp")).to.equal(200);
  });

  it("make a valid question whose consent is not remembered wait exactly as long as Retry-After says", async () => {
    await useUp();
    checks.agree(FIRST);
    expect(await statusOf(FIRST)).to.equal(429);
    checks.resource.clock.advance(WAIT_SECONDS * 1000 - 1);
    expect(await statusOf(FIRST)).to.equal(429);
    checks.resource.clock.advance(1);
    expect(await statusOf(FIRST)).to.equal(200);
    expect(await makeUp()).to.equal(403);
    expect(await makeUp()).to.equal(429);
  });

  it("are allowed again in full after a minute", async () => {
    await useUp();
    checks.resource.clock.advance(60_000);
    await useUp();
  });

  it("are counted for the TPP, whichever of its certificates is used", async () => {
    await useUp();
    expect(await makeUp("cisp")).to.equal(429);
  });

  it("include those about another TPP's consent, and those with further faults", async () => {
    checks.agree(SECOND, "second-tpp");
    for (let pair = 0; pair < ALLOWED / 2; pair += 1) {
      expect(await statusOf(SECOND)).to.equal(403);
      expect((await askMadeUp("all-roles", { merchant: 7 })).status).to.equal(403);
    }
    expect(await makeUp()).to.equal(429);
    expect(await statusOf(SECOND, "second-tpp")).to.equal(200);
  });

  it("do not include those without a valid account: nothing is looked up for them (COBS 3.3.3)", async () => {
    await useUp();
    const debtorAccount = { identification: { iban: "CZ00" } };
    expect((await askMadeUp("all-roles", { debtorAccount })).status).to.equal(400);
  });

  it("do not include those with a consent, however many come at once", async () => {
    for (const account of OTHERS) checks.agree(account);
    const answers = OTHERS.map((account) => statusOf(account));
    expect(await tally(answers)).to.deep.equal({ 200: OTHERS.length });
    expect(checks.resource.auth.cardConsentLookUps)
      .to.equal(OTHERS.length)
      .and.above(3 * ALLOWED);
    await useUp();
  });

  it("do not include valid ones that wait for slow answers: all of these are answered", async () => {
    for (const account of OTHERS) checks.agree(account);
    const { auth } = checks.resource;
    const release = holdAnswers(auth);
    const vain = Array.from({ length: ALLOWED - 1 }, () => makeUp());
    await eventually(() => auth.cardConsentLookUps === ALLOWED - 1);
    const good = OTHERS.map((account) => statusOf(account));
    await eventually(() => auth.cardConsentLookUps === ALLOWED);
    release();
    expect(await tally([...vain, ...good])).to.deep.equal({ 200: OTHERS.length, 403: ALLOWED - 1 });
  });

  it("do not include those that auth did not answer", async () => {
    await checks.resource.auth.close();
    expect(await tally(Array.from({ length: CALLS }, () => makeUp()))).to.deep.equal({ 503: CALLS });
    await checks.resource.auth.reopen();
    await useUp();
  });

  it("are counted apart from unusable tokens", async () => {
    checks.agree(FIRST);
    const tokens = Array.from({ length: CALLS }, async (_, number) => {
      const { status } = await checks.resource.call({ token: `made-up-${number}`, certificate: "all-roles" });
      return status;
    });
    expect(await tally(tokens)).to.deep.equal({ 401: ALLOWED, 429: CALLS - ALLOWED });
    expect(await statusOf(FIRST)).to.equal(200);
    await useUp();
    const token = checks.resource.giveToken("second-tpp");
    expect((await checks.resource.call({ token, certificate: "second-tpp" })).status).to.equal(200);
  });
});
