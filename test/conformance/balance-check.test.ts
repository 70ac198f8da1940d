import { expect } from "chai";
import { type RunningResource, runResource } from "../resource/running-resource.ts";
import { accountIdsOf, MANY, ONE } from "../resource/small-bank.ts";
import { HISTORY, MULTI_CURRENCY } from "../resource/small-movements.ts";
import { eventually } from "../support/eventually.ts";
import type { RawAnswer } from "../support/raw-https.ts";
import { balanceOf, expectErrors } from "./account-information.ts";
import {
  ASKER,
  CARD_CHECK,
  type CheckedResource,
  checksAt,
  ibanOf,
  PAYMENT_CHECK,
  questionAbout,
  runChecks,
} from "./balance-check.ts";

const MANY_ACCOUNTS = accountIdsOf(MANY);
/** Number of the next account that no other test uses. */
let unused = 10;
const nextAccount = () => {
  unused += 1;
  return MANY_ACCOUNTS[unused] ?? "";
};

const amountOf = (totalAmount: unknown, currency = "CZK") => ({
  transactionDetails: { currency, totalAmount },
});
const jsonOf = ({ body }: RawAnswer) => JSON.parse(body);

async function availableOn(resource: RunningResource, id: string): Promise<number> {
  const answer = await resource.call({ token: resource.giveToken(), path: balanceOf(id) });
  const { balances } = jsonOf(answer);
  const available = balances.find(
    (each: { type: { codeOrProprietary: { code: string } } }) => each.type.codeOrProprietary.code === "CLAV",
  );
  return available.amount.value;
}

for (const [name, path] of [
  ["R4 POST /my/payments/balanceCheck", PAYMENT_CHECK],
  ["R13 POST /accounts/balanceCheck", CARD_CHECK],
] as const) {
  describe(`COBS 2.0, ${name}`, function balanceCheck() {
    this.timeout(120_000);
    let checks: CheckedResource;
    before(async () => {
      checks = await runChecks();
      for (const account of MANY_ACCOUNTS) checks.agree(account);
    });
    after(() => checks.resource.stop());

    it("says APPR up to exactly the available amount and DECL above it, without a figure (3.3.3.2)", async () => {
      const available = await availableOn(checks.resource, HISTORY);
      const cent = Math.round(available * 100 + 1) / 100;
      const told: string[] = [];
      for (const amount of [0.01, available, cent]) {
        const question = questionAbout(HISTORY, amountOf(amount));
        const answer = await checks.ask(path, question);
        const { responseIdentification, ...others } = jsonOf(answer);
        expect(answer.status).to.equal(200);
        expect(Number.isSafeInteger(responseIdentification)).to.equal(true);
        expect(others).to.have.all.keys("exchangeIdentification", "response");
        expect(others.exchangeIdentification).to.equal(question.exchangeIdentification);
        told.push(others.response);
      }
      expect(told).to.deep.equal(["APPR", "APPR", "DECL"]);
    });

    it("may have a slash at the end of its path, which is not taken for a payment's (A-45)", async () => {
      const answer = await checks.ask(path, questionAbout(nextAccount()), { path: `${path}/` });
      expect(answer.status, answer.body).to.equal(200);
    });

    it("is recorded with asker and answer at the bank, which can tell the payer (PSD2 Article 65(5))", async () => {
      const account = nextAccount();
      const { resource } = checks;
      const { organisationIdentifier } = resource.tpp(ASKER);
      const answered = [];
      for (const amount of [0.01, 999_999_999]) {
        const { responseIdentification, response } = jsonOf(
          await checks.ask(path, questionAbout(account, amountOf(amount))),
        );
        const told = { organisationIdentifier, amount: `${amount.toFixed(2)} CZK`, response };
        answered.push({ responseIdentification: String(responseIdentification), ...told });
      }
      const told = await resource.askBank(`/operator/accounts/${account}/balance-checks`);
      expect(resource.lastCall(), "who has looked").to.include({ operator: "operator", account });
      const { balanceChecks, next } = jsonOf(told);
      expect(next).to.equal(null);
      const withoutTime = balanceChecks.map(({ checkedAt: _time, ...each }: { checkedAt: string }) => each);
      expect(withoutTime).to.deep.equal(answered.toReversed());
      const page = `/operator/accounts/${account}/balance-checks?limit=1`;
      const first = jsonOf(await resource.askBank(page));
      const second = jsonOf(await resource.askBank(`${page}&after=${first.next}`));
      expect([...first.balanceChecks, ...second.balanceChecks]).to.deep.equal(balanceChecks);
      expect(second.next, "there are no more").to.equal(null);
      const statusOf = async (query: string) =>
        (await resource.askBank(`/operator/accounts/${account}/balance-checks?${query}`)).status;
      expect(await statusOf("limit=200")).to.equal(200);
      for (const wrong of [
        "limit=0",
        "limit=201",
        "limit=1.5",
        "limit=",
        "after=x",
        "after=0",
        "limit=1&limit=1",
        "from=2026-01-01",
      ])
        expect(await statusOf(wrong), wrong).to.equal(400);
      expect((await resource.askBank(page, { caller: resource.certificates.bank.auth })).status).to.equal(
        403,
      );
    });

    it("answers alike except for one word, whatever the balance", async () => {
      const lines = [];
      for (const amount of [0.02, 999_999_999]) {
        const { status, headers, body } = await checks.ask(path, questionAbout(HISTORY, amountOf(amount)));
        lines.push([status, Object.keys(headers).toSorted(), Object.keys(JSON.parse(body)), body.length]);
      }
      expect(lines[0]?.slice(0, 3)).to.deep.equal(lines[1]?.slice(0, 3));
    });

    it("echoes the identification in its JSON type (A-74), and accepts both names of card members (A-75)", async () => {
      const account = nextAccount();
      const digits = Date.now() % 1_000_000;
      const card = { cardHolderName: "Jan Novák", maskedPAN: "1234********6789" };
      const number = await checks.ask(path, questionAbout(account, { exchangeIdentification: digits, card }));
      expect(jsonOf(number).exchangeIdentification).to.equal(digits);
      const long = JSON.stringify(questionAbout(account, { exchangeIdentification: "LONG" })).replace(
        '"LONG"',
        "123456789012345678",
      );
      expect((await checks.ask(path, long)).body).to.include('"exchangeIdentification":123456789012345678');
    });

    it("checks an account of several currencies in the currency that is named", async () => {
      const iban = ibanOf(MULTI_CURRENCY);
      for (const currency of ["EUR", "USD", "CZK"]) {
        const debtorAccount = { identification: { iban }, currency };
        const asked = { debtorAccount, ...amountOf(1_000_000_000, currency) };
        const answer = await checks.ask(path, questionAbout(MULTI_CURRENCY, asked));
        expect(jsonOf(answer).response, currency).to.equal("DECL");
      }
    });

    it("answers one of fifty simultaneous questions with one identification, and refuses the others (RF01)", async () => {
      const question = questionAbout(nextAccount());
      const answers = await Promise.all(Array.from({ length: 50 }, () => checks.ask(path, question)));
      expect(answers.filter(({ status }) => status === 200)).to.have.length(1);
      for (const answer of answers.filter(({ status }) => status !== 200))
        expectErrors(answer, 400, { error: "RF01", scope: "exchangeIdentification" });
    });

    it("refuses an eleventh amount, against a search for the balance, but still answers known ones (429)", async () => {
      const account = nextAccount();
      const answers: RawAnswer[] = [];
      for (let amount = 1; amount <= 11; amount += 1)
        answers.push(await checks.ask(path, questionAbout(account, amountOf(amount))));
      expect(answers.map(({ status }) => status)).to.deep.equal([...Array(10).fill(200), 429]);
      const limited = answers.at(-1);
      expect(Number(limited?.headers["retry-after"])).to.be.within(3_500, 3_600);
      const [error] = limited === undefined ? [] : jsonOf(limited).errors;
      expect(error.error).to.equal("NARR");
      expect(error.parameters.CONTINUES_AT).to.match(/^20\d\d-.*Z$/);
      expect((await checks.ask(path, questionAbout(account, amountOf(10)))).status).to.equal(200);
      expect((await checks.ask(path, questionAbout(nextAccount(), amountOf(11)))).status).to.equal(200);
    });

    it("says DECL to the largest amount that may be asked about (A-76)", async () => {
      const question = JSON.stringify(questionAbout(HISTORY, amountOf("largest")));
      const answer = await checks.ask(path, question.replace('"largest"', "9".repeat(18)));
      expect(jsonOf(answer).response).to.equal("DECL");
    });

    it("writes neither IBAN, name, amount nor answer to the log", async () => {
      await checks.ask(path, questionAbout(HISTORY, amountOf(987_654_321.09)));
      const log = JSON.stringify(checks.resource.logLines);
      for (const secret of [ibanOf(HISTORY), "Jan Novák", "987654321", "APPR"])
        expect(log).not.to.include(secret);
    });
  });
}

describe("COBS 2.0, R4 about the accounts of the PSU", () => {
  let checks: CheckedResource;
  before(async () => {
    checks = await runChecks();
  });
  after(() => checks.resource.stop());

  it("by a consent for accounts too is limited to the chosen ones, as payments are (AG01)", async () => {
    const [chosen = "", other = ""] = MANY_ACCOUNTS;
    const services = { scope: "aisp pisp", consented_services: ["aisp", "pisp"], sub: MANY };
    const token = checks.resource.giveToken(ASKER, { ...services, account_ids: [chosen] });
    expect((await checks.ask(PAYMENT_CHECK, questionAbout(chosen), { token })).status).to.equal(200);
    const refused = await checks.ask(PAYMENT_CHECK, questionAbout(other), { token });
    expectErrors(refused, 403, { error: "AG01", scope: "debtorAccount.identification.iban" });
  });

  it("by a consent for payments alone may be about any account of the PSU, and no other PSU's", async () => {
    const [first = "", , third = ""] = MANY_ACCOUNTS;
    for (const account of [first, third])
      expect((await checks.ask(PAYMENT_CHECK, questionAbout(account))).status).to.equal(200);
    const [foreign = ""] = accountIdsOf(ONE);
    const refused = await checks.ask(PAYMENT_CHECK, questionAbout(foreign));
    expectErrors(refused, 403, { error: "AG01", scope: "debtorAccount.identification.iban" });
  });
});

/** Makes auth lose an event that resource has taken, so that resource cannot continue from there. */
async function loseEvent({ resource }: CheckedResource): Promise<void> {
  const { feed } = resource.auth;
  const position = feed.tell("consent", "another");
  await eventually(() => feed.takenUpTo >= position);
  feed.lose();
  feed.forget();
}

describe("COBS 2.0, R13 by the consents that auth keeps (A-79)", function byConsent() {
  this.timeout(120_000);
  const AMOUNTS = 12;
  let checks: CheckedResource;
  before(async () => {
    checks = await runChecks({ BALANCE_CHECK_AMOUNTS_PER_HOUR: `${AMOUNTS}` });
  });
  after(() => checks.resource.stop());

  const AG01 = { error: "AG01", scope: "debtorAccount.identification.iban" } as const;
  const ask = (account: string, at = checks) =>
    at.ask(CARD_CHECK, questionAbout(account, { transactionDetails: { currency: "CZK", totalAmount: 1 } }));

  it("needs no token and ignores one that is sent", async () => {
    const account = nextAccount();
    checks.agree(account);
    const headers = { authorization: "Bearer whatever" };
    expect((await checks.ask(CARD_CHECK, questionAbout(account), { headers })).status).to.equal(200);
  });

  it("may be about as many amounts as the bank allows, for an account with many cards (PSD2 Article 65(1))", async () => {
    const account = nextAccount();
    checks.agree(account);
    const statuses = [];
    for (let amount = 1; amount <= AMOUNTS + 1; amount += 1)
      statuses.push((await checks.ask(CARD_CHECK, questionAbout(account, amountOf(amount)))).status);
    expect(statuses).to.deep.equal([...Array(AMOUNTS).fill(200), 429]);
  });

  it("serves only the TPP of the consent", async () => {
    const account = nextAccount();
    checks.agree(account, "second-tpp");
    expectErrors(await ask(account), 403, AG01);
  });

  it("asks auth once in a minute for a standing consent, and each time while there is none", async () => {
    const account = nextAccount();
    const { auth } = checks.resource;
    const before = auth.cardConsentLookUps;
    for (let turn = 0; turn < 3; turn += 1) expectErrors(await ask(account), 403, AG01);
    checks.agree(account);
    for (let turn = 0; turn < 5; turn += 1) expect((await ask(account)).status).to.equal(200);
    expect(auth.cardConsentLookUps - before).to.equal(4);
    checks.resource.clock.advance(59_999);
    expect((await ask(account)).status).to.equal(200);
    expect(auth.cardConsentLookUps - before).to.equal(4);
    checks.resource.clock.advance(1);
    expect((await ask(account)).status).to.equal(200);
    expect(auth.cardConsentLookUps - before).to.equal(5);
  });

  for (const [what, tell] of [
    ["is withdrawn", (at: CheckedResource, id: string) => at.resource.auth.feed.tell("card_consent", id)],
    ["ends with its PSU's block", (at: CheckedResource) => at.resource.auth.feed.tell("psu_blocked", MANY)],
    [
      "may have ended, in words of a newer auth",
      (at: CheckedResource) => at.resource.auth.feed.tell("x", "y"),
    ],
    ["may have ended, in what auth has lost, as with a restored backup", loseEvent],
  ] as const) {
    it(`forgets a consent at once when it ${what}`, async () => {
      const account = nextAccount();
      const id = checks.agree(account);
      expect((await ask(account)).status).to.equal(200);
      checks.resource.auth.cardConsents.clear();
      await tell(checks, id);
      await eventually(async () => (await ask(account)).status === 403);
    });
  }

  it("serves no withdrawn consent beyond the freshness bound, even at processes that get no events", async () => {
    const others = [checks, checksAt(await runResource())];
    const account = nextAccount();
    try {
      for (const each of others) {
        const id = each.agree(account);
        expect((await ask(account, each)).status).to.equal(200);
        each.resource.auth.feed.isCut = true;
        each.resource.auth.cardConsents.clear();
        each.resource.auth.feed.tell("card_consent", id);
        each.resource.clock.advance(4_001);
      }
      for (const each of others) {
        // The stop list is as old as the consent, so resource knows nothing.
        expect((await ask(account, each)).status).to.equal(503);
        each.resource.auth.feed.isCut = false;
        await eventually(async () => (await ask(account, each)).status === 403);
      }
    } finally {
      await others[1]?.resource.stop();
    }
  });

  it("accepts the consent of any holder of the account, also when another holder's has ended", async () => {
    const account = nextAccount();
    const { auth } = checks.resource;
    const holder = { id: "card-of-holder", psu: MANY, accountId: account };
    const former = { ...holder, id: "card-of-former-holder", psu: "psu-former" };
    const told = (consent: object, others: object[]) => {
      auth.write = () => ({ status: 200, body: JSON.stringify({ consent, others }) });
    };
    try {
      told(former, [holder]);
      expect((await ask(account)).status).to.equal(200);
      told(holder, []);
      auth.feed.tell("card_consent", former.id);
      expect((await ask(account)).status).to.equal(200);
      told(former, []);
      auth.feed.tell("card_consent", holder.id);
      await eventually(async () => (await ask(account)).status === 400);
    } finally {
      auth.write = undefined;
    }
  });

  it("answers 503 if auth's answer is not as agreed", async () => {
    const account = nextAccount();
    checks.agree(account);
    const { auth } = checks.resource;
    const right = { id: "c", psu: "p", accountId: "a" };
    const others = [7, [7], [{ ...right, id: "" }]].map((each) => ({ consent: right, others: each }));
    const malformed = [{ consent: { ...right, psu: 7 } }, ...others].map((each) => JSON.stringify(each));
    const bodies = ["", "{}", "[]", '{"consent":7}', ...malformed];
    try {
      const failures = ["{}", '{"consent":null}'].map((body) => ({ status: 404, body }));
      for (const answer of [...bodies.map((body) => ({ status: 200, body })), ...failures]) {
        auth.write = () => answer;
        expectErrors(await ask(account), 503, { error: "NARR" });
      }
    } finally {
      auth.write = undefined;
    }
    expect((await ask(account)).status).to.equal(200);
  });

  it("is refused to a TPP on the stop list, with or without a consent", async () => {
    const account = nextAccount();
    checks.agree(account);
    const { organisationIdentifier } = checks.resource.tpp(ASKER);
    checks.resource.auth.block(organisationIdentifier);
    await eventually(async () => (await ask(account)).status === 401);
    checks.resource.auth.release(organisationIdentifier);
    await eventually(async () => (await ask(account)).status === 200);
  });
});
