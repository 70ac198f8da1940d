import { randomUUID } from "node:crypto";
import { expect } from "chai";
import type { SandboxDocument } from "../../packages/sandbox/src/sandbox-folder/sandbox-document.ts";
import { until } from "../support/eventually.ts";
import type { TestSandbox } from "../support/sandbox.ts";
import type { TppClient } from "../support/tpp-client.ts";
import { forgetUsedCodes, journeySandbox, journeyTpp, logLineOf, logLines } from "./journey-sandbox.ts";

const USERNAME = "jana";
const PAYEE = "CZ6508000000192000145399";

type Service = "auth" | "resource";

describe("Call that one service makes for another call", function requestIds() {
  this.timeout(120_000);
  let sandbox: TestSandbox;
  let document: SandboxDocument;
  let tpp: TppClient;
  let accessToken: string;
  let iban: string;

  before(async () => {
    sandbox = await journeySandbox();
    document = await sandbox.document();
    tpp = await journeyTpp("all-roles");
    await forgetUsedCodes(document);
    const application = await tpp.register(["aisp", "pisp"]);
    ({ accessToken } = await tpp.authorize(application, { psu: USERNAME, scope: "aisp pisp" }));
    const { accounts = [] } = document.psus.find(({ username }) => username === USERNAME) ?? {};
    iban = accounts.find(({ currency }) => currency === "CZK")?.iban ?? "";
  });

  /** Calls resource, and gives its own request id of the call beside what it answered. */
  async function ask(method: string, path: string, body?: object) {
    const [name, headers] = [randomUUID(), { authorization: `Bearer ${accessToken}` }];
    const answer = await tpp.fetch(`${document.resourceBase}${path}`, {
      method,
      headers: { ...headers, "content-type": "application/json", "x-request-id": name },
      body: body && JSON.stringify(body),
      redirect: "manual",
    });
    const text = await answer.text();
    const requestId = String((await logLineOf(sandbox, "resource", name))?.requestId);
    return { status: answer.status, json: text === "" ? {} : JSON.parse(text), requestId };
  }

  const wereAskedFor = (service: Service, requestId: string) =>
    logLines(sandbox, service).filter(({ callerRequestId }) => callerRequestId === requestId);

  /** Waits for the line of the call that was made for that with this request id. */
  async function expectAsked(service: Service, requestId: string, route: RegExp): Promise<void> {
    const find = () => wereAskedFor(service, requestId).find((line) => route.test(String(line.route)));
    await until(() => find() !== undefined, `${service} has logged a call of ${route} for ${requestId}`);
  }

  async function enterPayment(): Promise<{ readonly paymentId: string; readonly sign: string }> {
    const { status, json } = await ask("POST", "/my/payments", {
      paymentIdentification: { instructionIdentification: randomUUID().slice(0, 30) },
      amount: { instructedAmount: { value: 1.5, currency: "CZK" } },
      debtorAccount: { identification: { iban } },
      creditorAccount: { identification: { iban: PAYEE } },
    });
    expect(status, JSON.stringify(json)).to.equal(200);
    const { transactionIdentification: paymentId, signInfo } = Object(json);
    return { paymentId, sign: `/my/payments/${paymentId}/sign/${signInfo.signId}` };
  }

  it("is logged with that call's request id: auth asked to take and end an approval", async () => {
    const { paymentId, sign } = await enterPayment();
    const started = await ask("POST", sign, { authorizationType: "USERAGENT_REDIRECT" });
    expect(started.status, JSON.stringify(started.json)).to.equal(200);
    await expectAsked("auth", started.requestId, /signing-requests/);
    const deleted = await ask("DELETE", `/my/payments/${paymentId}`);
    expect(deleted.status).to.equal(200);
    await expectAsked("auth", deleted.requestId, /signing-requests/);
  });

  it("is logged with that call's request id: auth asked whether a card issuer may ask", async () => {
    const { requestId } = await ask("POST", "/accounts/balanceCheck", {
      exchangeIdentification: randomUUID().slice(0, 18),
      debtorAccount: { identification: { iban } },
      transactionDetails: { currency: "CZK", totalAmount: 1 },
    });
    await expectAsked("auth", requestId, /card-consents/);
  });

  it("is logged with that call's request id: resource asked for the accounts of a PSU", async () => {
    const asked = () => logLines(sandbox, "resource").filter(({ route }) => /psus/.test(String(route)));
    const before = asked().length;
    await forgetUsedCodes(document);
    await tpp.authorize(await tpp.register(["aisp"]), { psu: USERNAME, scope: "aisp" });
    await until(() => asked().length > before, "resource has logged that it was asked for accounts");
    // A call is logged when it ends, which is after all that it has asked for.
    for (const { callerRequestId } of asked().slice(before)) {
      const isLogged = () => logLines(sandbox, "auth").some(({ requestId }) => requestId === callerRequestId);
      await until(isLogged, `auth has logged the call ${callerRequestId}`);
    }
  });
});
