/** A PSU takes a consent back on the bank's page: it bites everywhere within a second, and nothing brings it back. */
import { setTimeout as delay } from "node:timers/promises";
import { expect } from "chai";
import { eventually } from "../../support/eventually.ts";
import { whileCalling } from "../../support/while-calling.ts";
import { type Answered, lastServed } from "../answered.ts";
import { forgetUsedCodes, journeySandbox } from "../journey-sandbox.ts";
import { authorizePlainly, refreshForm } from "../plain-authorization.ts";
import { postTokenForm } from "../post-token-form.ts";
import { askToWithdraw } from "../sandbox-withdrawal.ts";
import { useSecondServices } from "./second-services.ts";

const USERNAME = "petr";
const PROMISE_MILLISECONDS = 1_000;

describe("Consent that its PSU withdraws", function withdrawal() {
  this.timeout(120_000);
  const second = useSecondServices("all-roles");

  it("is refused within a second by every resource process, and neither refresh, replay nor a restart revives it", async () => {
    const { tpp, auth: secondAuth, resource: secondResource } = second();
    const document = await (await journeySandbox()).document();
    await forgetUsedCodes(document);
    const psu = document.psus.find(({ username }) => username === USERNAME);
    if (psu === undefined) throw new Error("no such PSU");
    const application = await tpp.register(["aisp"]);
    const form = await authorizePlainly(document, application, USERNAME);
    const { body: tokens } = await postTokenForm(tpp, document.auth.mutualTls, form);
    const resources = [`${document.resourceBase}/my/accounts`, secondResource.accounts];
    const statusAt = async (url: string) => {
      const headers = { authorization: `Bearer ${tokens.access_token}` };
      return (await tpp.fetch(url, { method: "GET", headers, body: undefined, redirect: "manual" })).status;
    };

    const asked = await askToWithdraw(document, psu);
    const answers: Answered[] = [];
    const calls = resources.map((url) => async () => {
      const begun = performance.now();
      answers.push({ begun, status: await statusAt(url) });
      if (answers.at(-1)?.status !== 200) await delay(50);
    });
    const ended = await whileCalling(calls, async () => {
      await eventually(() => answers.length > 20);
      expect(new Set(answers.map(({ status }) => status))).to.deep.equal(new Set([200]));
      expect(await asked.withdraw()).to.match(/^(You have withdrawn access|Přístup jste odebrali)/);
      const withdrawn = performance.now();
      await delay(2 * PROMISE_MILLISECONDS);
      return withdrawn;
    }).finally(() => asked.close());
    const last = lastServed(answers);
    expect(last - ended, "milliseconds to the last success").to.be.below(PROMISE_MILLISECONDS);
    expect(answers.at(-1)?.status).to.equal(401);

    await secondAuth.kill();
    await secondAuth.start();
    const refresh = refreshForm(application, String(tokens.refresh_token));
    for (const auth of [document.auth.mutualTls, secondAuth.mutualTls]) {
      for (const fields of [refresh, form]) {
        const { status, body } = await postTokenForm(tpp, auth, fields);
        expect([status, body.error]).to.deep.equal([400, "invalid_grant"]);
      }
    }
    for (const url of resources) expect(await statusAt(url)).to.equal(401);
  });
});
