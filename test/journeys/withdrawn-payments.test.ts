/** A PSU takes a consent to payments back on the bank's page: what they have approved is paid, and nothing else (PAY-14). */
import { randomUUID } from "node:crypto";
import { expect } from "chai";
import { signAsPsu } from "../../packages/sandbox/src/tpp/sign-as-psu.ts";
import { openUsedSteps, usedStepsFile } from "../../packages/sandbox/src/tpp/used-steps-file.ts";
import { until } from "../support/eventually.ts";
import { runProgram } from "../support/program.ts";
import { forgetUsedCodes, journeySandbox, journeyTpp, runSql } from "./journey-sandbox.ts";
import { askToWithdraw } from "./sandbox-withdrawal.ts";

const USERNAME = "jana";

describe("Payments whose PSU withdraws the consent", function withdrawnPayments() {
  this.timeout(180_000);

  it("are executed if approved before, otherwise rejected and refused on the page (PSD2 Article 80(2))", async () => {
    const document = await (await journeySandbox()).document();
    const tpp = await journeyTpp("all-roles");
    const application = await tpp.register(["pisp"]);
    await forgetUsedCodes(document);
    const { accessToken } = await tpp.authorize(application, { psu: USERNAME, scope: "pisp" });
    const psu = document.psus.find(({ username }) => username === USERNAME);
    const account = psu?.accounts.find(({ currency }) => currency === "CZK");
    if (psu === undefined || account === undefined) throw new Error(`${USERNAME} has no account in CZK`);

    async function ask(method: string, path: string, body?: object) {
      const headers = { authorization: `Bearer ${accessToken}`, "content-type": "application/json" };
      const sent = { method, headers, body: body && JSON.stringify(body), redirect: "manual" } as const;
      const answer = await tpp.fetch(`${document.resourceBase}${path}`, sent);
      return Object(JSON.parse((await answer.text()) || "{}"));
    }
    async function pay() {
      const { transactionIdentification: paymentId, signInfo } = await ask("POST", "/my/payments", {
        paymentIdentification: { instructionIdentification: randomUUID().slice(0, 30) },
        amount: { instructedAmount: { value: 1.5, currency: "CZK" } },
        debtorAccount: { identification: { iban: account?.iban } },
        creditorAccount: { identification: { iban: "CZ6508000000192000145399" } },
      });
      return { paymentId, sign: `/my/payments/${paymentId}/sign/${signInfo.signId}` };
    }
    const start = async (sign: string) =>
      new URL((await ask("POST", sign, { authorizationType: "USERAGENT_REDIRECT" })).href.url);
    const approve = (url: URL) => {
      const usedSteps = openUsedSteps(usedStepsFile(document.directory));
      const context = { sandbox: document, usedSteps, tell: () => {} };
      return signAsPsu(context, { url, returnUrl: application.redirectUri, username: USERNAME });
    };
    async function statusOf({ paymentId }: { readonly paymentId: string }): Promise<string> {
      const sent = { method: "GET", headers: {}, body: undefined, redirect: "manual" } as const;
      const answer = await tpp.fetch(`${document.resourceBase}/payments/${paymentId}/status`, sent);
      return Object(JSON.parse(await answer.text())).instructionStatus;
    }

    const [entered, asked, approved] = [await pay(), await pay(), await pay()];
    const page = await start(asked.sign);
    await forgetUsedCodes(document);
    await approve(await start(approved.sign));
    await forgetUsedCodes(document);
    const question = await askToWithdraw(document, psu);
    expect(await question.withdraw()).to.match(/^(You have withdrawn access|Přístup jste odebrali)/);
    await question.close();

    for (const paid of [entered, asked])
      await until(async () => (await statusOf(paid)) === "RJCT", "what was not approved is rejected");
    const { environment } = await journeySandbox();
    const record = await runProgram(
      "packages/sandbox/src/operator/main.ts",
      ["payment", asked.paymentId],
      environment,
    );
    expect(record, record.stderr).to.include({ exitCode: 0 });
    expect(record.stdout).to.match(/end_consent +server +rejected +consent_ended/);
    await forgetUsedCodes(document);
    const late = await approve(page).then(
      () => "approved",
      (error: unknown) => String(error),
    );
    expect(late).to.not.equal("approved");
    await until(async () => {
      const { resource } = document.databases;
      for (const table of ["sandbox_order", "payment_outbox"])
        await runSql(resource, `UPDATE ${table} SET due_at = now() WHERE payment_id = $1`, [
          approved.paymentId,
        ]);
      return (await statusOf(approved)) === "ACSC";
    }, "what was approved is booked");
  });
});
