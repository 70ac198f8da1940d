/** A PSU takes back, on the bank's page, that a card issuer may ask: a second later no resource process answers it. */
import { setTimeout as delay } from "node:timers/promises";
import { expect } from "chai";
import { eventually } from "../../support/eventually.ts";
import { runProgram } from "../../support/program.ts";
import { whileCalling } from "../../support/while-calling.ts";
import { type Answered, lastServed } from "../answered.ts";
import { forgetUsedCodes, journeySandbox } from "../journey-sandbox.ts";
import { askToWithdraw } from "../sandbox-withdrawal.ts";
import { useSecondServices } from "./second-services.ts";

const CERTIFICATE = "all-roles";
const USERNAME = "petr";
const PROMISE_MILLISECONDS = 1_000;
/** The same amount each time, and not too often: both are limited. */
const PAUSE_MILLISECONDS = 100;

interface AnsweredCheck extends Answered {
  readonly body: string;
}

describe("Card issuer whose PSU withdraws the consent", function cardConsent() {
  this.timeout(120_000);
  const second = useSecondServices(CERTIFICATE);

  it("gets yes or no while the consent is in force, and no answer from one second after its end", async () => {
    const { tpp, resource: secondResource } = second();
    const document = await (await journeySandbox()).document();
    await forgetUsedCodes(document);
    const psu = document.psus.find(({ username }) => username === USERNAME);
    const account = psu?.accounts.find(({ currency }) => currency === "CZK");
    if (psu === undefined || account === undefined) throw new Error("no such PSU");
    const organisation =
      document.certificates.find(({ name }) => name === CERTIFICATE)?.organisationIdentifier ?? "";

    const answers: AnsweredCheck[] = [];
    async function ask(base: string): Promise<void> {
      const body = JSON.stringify({
        exchangeIdentification: `j${Math.random().toString(36).slice(2, 14)}`,
        debtorAccount: { identification: { iban: account?.iban } },
        transactionDetails: { currency: "CZK", totalAmount: 1 },
      });
      const headers = { "content-type": "application/json" };
      const url = `${base}/accounts/balanceCheck`;
      const begun = performance.now();
      const answer = await tpp.fetch(url, { method: "POST", headers, body, redirect: "manual" });
      answers.push({ begun, status: answer.status, body: await answer.text() });
    }
    const resources = [document.resourceBase, secondResource.accounts.replace(/\/my\/accounts$/, "")];
    for (const base of resources) await ask(base);
    expect(answers.map(({ status }) => status)).to.deep.equal([403, 403]);

    const about = ["--psu", psu.psuId, "--account", account.id, "--iban", account.iban];
    const line = ["card-consents", "give", "--tpp", organisation, ...about];
    const given = await runProgram("packages/auth/src/operator/main.ts", line, {
      OPERATOR_URL: document.auth.bank,
      OPERATOR_CERTIFICATE_FILE: document.bankClients.operator.certificate,
      OPERATOR_KEY_FILE: document.bankClients.operator.key,
      BANK_AUTHORITY_FILE: document.privateCa,
    });
    expect(given, given.stderr).to.include({ exitCode: 0 });

    const asked = await askToWithdraw(document, psu, "card");
    answers.length = 0;
    const calls = resources.map((base) => async () => {
      await ask(base);
      await delay(PAUSE_MILLISECONDS);
    });
    const ended = await whileCalling(calls, async () => {
      await eventually(() => answers.length > 5);
      for (const { status, body } of answers) {
        expect(status, body).to.equal(200);
        expect(JSON.parse(body).response).to.be.oneOf(["APPR", "DECL"]);
      }
      await asked.withdraw();
      const withdrawn = performance.now();
      await delay(2 * PROMISE_MILLISECONDS);
      return withdrawn;
    }).finally(() => asked.close());
    const last = lastServed(answers);
    expect(last - ended, "milliseconds to the last answer").to.be.below(PROMISE_MILLISECONDS);
    expect(JSON.parse(answers.at(-1)?.body ?? "{}").errors[0].error).to.equal("AG01");

    const { environment } = await journeySandbox();
    const told = await runProgram(
      "packages/sandbox/src/operator/main.ts",
      ["balance-checks", account.id],
      environment,
    );
    expect(told, told.stderr).to.include({ exitCode: 0 });
    expect(told.stdout).to.match(new RegExp(`${organisation} +1\\.00 CZK +APPR`));
  });
});
