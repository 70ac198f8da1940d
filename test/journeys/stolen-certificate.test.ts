/** A TPP whose key was stolen: what the thief has sent to a PSU is not approved, and the TPP goes on with another certificate. */
import { randomUUID, X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { thumbprintOf } from "@cobs/psd2-certificates";
import { expect } from "chai";
import { signAsPsu } from "../../packages/sandbox/src/tpp/sign-as-psu.ts";
import { openUsedSteps, usedStepsFile } from "../../packages/sandbox/src/tpp/used-steps-file.ts";
import { until } from "../support/eventually.ts";
import { runProgram } from "../support/program.ts";
import { send } from "../support/raw-https.ts";
import type { TppClient } from "../support/tpp-client.ts";
import { orders, twinOf } from "../support/twin-certificate.ts";
import { forgetUsedCodes, journeySandbox, journeyTpp, logLineOf } from "./journey-sandbox.ts";
import { refreshForm } from "./plain-authorization.ts";
import { postTokenForm } from "./post-token-form.ts";

const USERNAME = "petr";
const STOLEN = "all-roles";
const REDIRECT = { authorizationType: "USERAGENT_REDIRECT" };

describe("Payment requested with a certificate that the bank then blocks", function stolenCertificate() {
  this.timeout(180_000);

  it("is not approved on the open page, but is when the TPP asks with another certificate", async () => {
    const document = await (await journeySandbox()).document();
    const [stolen, renewed] = [await journeyTpp(STOLEN), await journeyTpp("all-roles-renewed")];
    const application = await stolen.register(["pisp"]);
    await forgetUsedCodes(document);
    const tokens = await stolen.authorize(application, { psu: USERNAME, scope: "pisp" });
    const form = refreshForm(application, tokens.refreshToken ?? "");
    const { body } = await postTokenForm(renewed, document.auth.mutualTls, form);
    const debtor = document.psus
      .find(({ username }) => username === USERNAME)
      ?.accounts.find(({ currency }) => currency === "CZK");

    const asking = (tpp: TppClient, token: string) => async (method: string, path: string, sent?: object) => {
      const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
      const answer = await tpp.fetch(`${document.resourceBase}${path}`, {
        method,
        headers,
        body: sent && JSON.stringify(sent),
        redirect: "manual",
      });
      return { status: answer.status, json: Object(JSON.parse((await answer.text()) || "{}")) };
    };
    const [asThief, asTpp] = [asking(stolen, tokens.accessToken), asking(renewed, String(body.access_token))];
    const approve = async (url: string) => {
      await forgetUsedCodes(document);
      const usedSteps = openUsedSteps(usedStepsFile(document.directory));
      const context = { sandbox: document, usedSteps, tell: () => {} };
      const order = { url: new URL(url), returnUrl: application.redirectUri, username: USERNAME };
      return signAsPsu(context, order).then(
        () => "approved",
        (error: unknown) => String(error),
      );
    };
    const certificate = document.certificates.find(({ name }) => name === STOLEN)?.certificate ?? "";
    const thumbprint = thumbprintOf(new X509Certificate(readFileSync(certificate)).raw);
    const operator = async (act: "block" | "release") => {
      const line = ["stop-list", act, "--certificate", thumbprint, "--reason", "its key was stolen"];
      const { environment } = await journeySandbox();
      const ran = await runProgram("packages/sandbox/src/operator/main.ts", line, environment);
      expect(ran, ran.stderr).to.include({ exitCode: 0 });
    };

    const entered = await asThief("POST", "/my/payments", {
      paymentIdentification: { instructionIdentification: randomUUID().slice(0, 30) },
      amount: { instructedAmount: { value: 1.5, currency: "CZK" } },
      debtorAccount: { identification: { iban: debtor?.iban } },
      creditorAccount: { identification: { iban: "CZ6508000000192000145399" } },
    });
    const { transactionIdentification: paymentId, signInfo } = entered.json;
    const sign = `/my/payments/${paymentId}/sign`;
    const started = await asThief("POST", `${sign}/${signInfo.signId}`, REDIRECT);
    await operator("block");
    try {
      expect(await approve(started.json.href.url)).to.not.equal("approved");
      const state = async () => (await asTpp("GET", `${sign}/${signInfo.signId}`)).json.signInfo.state;
      await until(async () => (await state()) === "CLOSE", "resource has heard of the end");
      const opened = await asTpp("POST", sign);
      const again = await asTpp("POST", `${sign}/${opened.json.signInfo.signId}`, REDIRECT);
      expect(await approve(again.json.href.url)).to.equal("approved");
      const status = async () => (await asTpp("GET", `/payments/${paymentId}/status`)).json.instructionStatus;
      await until(async () => ["ACSP", "ACSC"].includes(await status()), "it is executed");
    } finally {
      await operator("release");
    }
  });
});

describe("Calls made with a stolen certificate", function stolenInItsOtherForm() {
  this.timeout(60_000);

  it("are found by its thumbprint in both logs, also when its thief used the other form", async () => {
    const sandbox = await journeySandbox();
    const { auth, resourceBase, ca, certificates } = await sandbox.document();
    const stolen = certificates.find(({ name }) => name === STOLEN);
    const { raw } = new X509Certificate(readFileSync(stolen?.certificate ?? ""));
    const twin = new X509Certificate(twinOf(raw, orders["P-256"]));
    const calls = {
      auth: `${auth.mutualTls}/cobs/2.0/applications`,
      resource: `${resourceBase}/payments/P-1/status`,
    };
    for (const service of ["auth", "resource"] as const) {
      const { port, pathname } = new URL(calls[service]);
      const requestId = randomUUID();
      const answer = await send({
        port,
        path: pathname,
        headers: { "x-request-id": requestId },
        ca: readFileSync(ca),
        cert: twin.toString(),
        key: readFileSync(stolen?.key ?? ""),
      });
      expect(answer.status, answer.body).to.equal(service === "auth" ? 200 : 404);
      expect(await logLineOf(sandbox, service, requestId)).to.include({
        thumbprint: thumbprintOf(twin.raw),
        twinThumbprint: thumbprintOf(raw),
      });
    }
  });
});
