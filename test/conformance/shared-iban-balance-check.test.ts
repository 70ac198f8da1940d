import { expect } from "chai";
import { runSql } from "../journeys/run-sql.ts";
import type { TestCall } from "../resource/resource-calls.ts";
import { MANY } from "../resource/small-bank.ts";
import { EMPTY, HISTORY } from "../resource/small-movements.ts";
import { expectErrors } from "./account-information.ts";
import {
  ASKER,
  CARD_CHECK,
  type CheckedResource,
  PAYMENT_CHECK,
  questionAbout,
  runChecks,
} from "./balance-check.ts";

const AC02 = { error: "AC02", scope: "debtorAccount.identification.iban" } as const;
const PAYMENTS_ALONE: TestCall = {};

describe("COBS 2.0, R4 and R13 about one of two accounts with one IBAN, only one of which has money", function sharedIban() {
  this.timeout(120_000);
  let checks: CheckedResource;
  before(async () => {
    checks = await runChecks();
    checks.agree(EMPTY);
    await run(
      `UPDATE sandbox_account SET (iban, account_number, bank_code) =
        (SELECT iban, account_number, bank_code FROM sandbox_account WHERE account_id = $2) WHERE account_id = $1`,
      [HISTORY, EMPTY],
    );
  });
  beforeEach(() => run("DELETE FROM balance_check"));
  after(() => checks.resource.stop());

  const run = (text: string, values: readonly unknown[] = []) =>
    runSql(checks.resource.environment.DATABASE_URL ?? "", text, values);

  /** Runs `work` while an account is closed. */
  async function whileClosed(account: string, work: () => Promise<void>) {
    await run("UPDATE sandbox_account SET closed_at = now() WHERE account_id = $1", [account]);
    try {
      await work();
    } finally {
      await run("UPDATE sandbox_account SET closed_at = NULL WHERE account_id = $1", [account]);
    }
  }

  function coveringEmpty(): TestCall {
    const services = { scope: "aisp pisp", consented_services: ["aisp", "pisp"], sub: MANY };
    return { token: checks.resource.giveToken(ASKER, { ...services, account_ids: [EMPTY] }) };
  }

  const askFor = (totalAmount: number, path: string, call: TestCall) =>
    checks.ask(path, questionAbout(EMPTY, { transactionDetails: { currency: "CZK", totalAmount } }), call);

  async function toldOf(totalAmount: number, path: string, call: TestCall): Promise<string> {
    const answer = await askFor(totalAmount, path, call);
    expect(answer.status, answer.body).to.equal(200);
    return JSON.parse(answer.body).response;
  }

  async function keptAbout(account: string): Promise<readonly string[]> {
    const told = await checks.resource.askBank(`/operator/accounts/${account}/balance-checks`);
    return JSON.parse(told.body).balanceChecks.map((each: { response: string }) => each.response);
  }

  for (const [what, path, call] of [
    ["R4 by a consent", PAYMENT_CHECK, coveringEmpty],
    ["R13", CARD_CHECK, () => ({})],
  ] as const) {
    it(`${what} about the one without reveals nothing of the one with money, and is recorded for the former`, async () => {
      expect(await toldOf(1, path, call())).to.equal("DECL");
      expect([await keptAbout(EMPTY), await keptAbout(HISTORY)]).to.deep.equal([["DECL"], []]);
    });

    it(`${what} about a closed one reveals nothing of the open one (AC02)`, () =>
      whileClosed(EMPTY, async () => expectErrors(await askFor(1, path, call()), 400, AC02)));
  }

  it("R4 by a consent for payments alone is answered and recorded for the one that would pay", async () => {
    expect(await toldOf(1, PAYMENT_CHECK, PAYMENTS_ALONE)).to.equal("APPR");
    expect([await keptAbout(HISTORY), await keptAbout(EMPTY)]).to.deep.equal([["APPR"], []]);
    await whileClosed(HISTORY, async () => {
      expect(await toldOf(1, PAYMENT_CHECK, PAYMENTS_ALONE)).to.equal("DECL");
    });
    expect([await keptAbout(HISTORY), await keptAbout(EMPTY)]).to.deep.equal([["APPR"], ["DECL"]]);
  });

  it("limit each account to ten amounts an hour, over all consents (429)", async () => {
    const call = coveringEmpty();
    for (let amount = 1; amount <= 10; amount += 1) await toldOf(amount, PAYMENT_CHECK, call);
    await whileClosed(HISTORY, async () => {
      expect((await askFor(11, PAYMENT_CHECK, PAYMENTS_ALONE)).status).to.equal(429);
      expect(await toldOf(10, PAYMENT_CHECK, PAYMENTS_ALONE)).to.equal("DECL");
    });
    expect(await toldOf(11, PAYMENT_CHECK, PAYMENTS_ALONE)).to.equal("APPR");
  });
});
