/** Payments that their PSU approves on auth's page while their TPP deletes them, all at the same moment. */
import { randomUUID } from "node:crypto";
import { expect } from "chai";
import type {
  DocumentedPsu,
  SandboxDocument,
} from "../../packages/sandbox/src/sandbox-folder/sandbox-document.ts";
import { CODE } from "../../packages/sandbox/src/tpp/approve-as-psu.ts";
import { nameOf, signInFields, untouchedFields } from "../../packages/sandbox/src/tpp/consent-as-psu.ts";
import { createFormBrowser, type FormBrowser } from "../../packages/sandbox/src/tpp/form-browser.ts";
import { type HtmlForm, readHtmlPage } from "../../packages/sandbox/src/tpp/html-page.ts";
import { oneTimeCode } from "../../packages/sandbox/src/tpp/one-time-codes.ts";
import { openTppFetch, type TppFetch } from "../../packages/sandbox/src/tpp/tpp-fetch.ts";
import { eventually } from "../support/eventually.ts";
import { RACED_PAYMENTS } from "../support/test-environment.ts";
import type { TppClient } from "../support/tpp-client.ts";
import { forgetUsedCodes, journeySandbox, journeyTpp, runSql } from "./journey-sandbox.ts";
import { contradictionsOf } from "./payment-books.ts";
import { callUntilAnswered, type PaymentCall } from "./payment-calls.ts";

const USERNAME = "petr";
const REDIRECT = { authorizationType: "USERAGENT_REDIRECT" };
const PAYEE = "CZ6508000000192000145399";
/** So many at the beginning are approved before they are deleted, and so many at the end deleted before they are approved. */
const SURE = 3;

interface OpenPayment {
  readonly paymentId: string;
  readonly instructionIdentification: string;
  readonly minor: number;
  /** Path of R10 to R12. */
  readonly sign: string;
  /** Presses the button of the page, with the right code. */
  readonly approve: () => Promise<unknown>;
}

describe("Payments that are approved", function paymentRaces() {
  this.timeout(180_000);
  let document: SandboxDocument;
  let tpp: TppClient;
  let web: TppFetch;
  let browser: FormBrowser;
  let accessToken: string;
  let psu: DocumentedPsu;
  let account: { readonly id: string; readonly iban: string };

  before(async () => {
    document = await (await journeySandbox()).document();
    tpp = await journeyTpp("all-roles");
    web = await openTppFetch(document.ca);
    const application = await tpp.register(["aisp", "pisp"]);
    browser = createFormBrowser(web.fetch, application.redirectUri);
    await forgetUsedCodes(document);
    ({ accessToken } = await tpp.authorize(application, { psu: USERNAME, scope: "aisp pisp" }));
    const found = document.psus.find(({ username }) => username === USERNAME);
    const kept = found?.accounts.find(({ currency }) => currency === "CZK");
    if (found === undefined || kept === undefined) throw new Error(`${USERNAME} has no account in CZK`);
    [psu, account] = [found, kept];
    await forgetUsedCodes(document);
  });
  after(() => web?.close());

  const call = (wanted: PaymentCall) => callUntilAnswered({ document, tpp, accessToken }, wanted);

  async function statusOf(paymentId: string): Promise<string> {
    const { status, json } = await call({ method: "GET", path: `/payments/${paymentId}/status` });
    return status === 404 ? "deleted" : String(json.instructionStatus);
  }

  async function enter(minor: number) {
    const instructionIdentification = randomUUID().slice(0, 30);
    const body = {
      paymentIdentification: { instructionIdentification },
      paymentTypeInformation: { instructionPriority: "INST" },
      amount: { instructedAmount: { value: minor / 100, currency: "CZK" } },
      debtorAccount: { identification: { iban: account.iban } },
      creditorAccount: { identification: { iban: PAYEE } },
    };
    const headers = { "idempotency-key": instructionIdentification };
    const entered = await call({ method: "POST", path: "/my/payments", body, headers });
    expect(entered.status, JSON.stringify(entered.json)).to.equal(200);
    const { transactionIdentification, signInfo } = entered.json;
    const paymentId = String(transactionIdentification);
    const sign = `/my/payments/${paymentId}/sign/${Object(signInfo).signId}`;
    const started = await call({ method: "POST", path: sign, body: REDIRECT });
    expect(started.status, JSON.stringify(started.json)).to.equal(200);
    return { paymentId, sign, instructionIdentification, minor, url: new URL(Object(started.json.href).url) };
  }

  /** The page of an order, up to the button; the first one asks for a sign-in too. */
  async function openPage({ url, ...entered }: Awaited<ReturnType<typeof enter>>): Promise<OpenPayment> {
    let visit = await browser.open(url);
    if (visit.kind === "page" && !approvalForm(visit.html)) {
      const [signIn] = readHtmlPage(visit.html).forms;
      if (signIn === undefined) throw new Error("there is no sign-in");
      const nextCode = async () => oneTimeCode(psu.totpSecret, Math.floor(Date.now() / 30_000));
      const { username, password } = psu;
      const fields = await signInFields(signIn, { username, password, nextCode });
      visit = await browser.submit(new URL(signIn.action, visit.url), fields);
    }
    const form = visit.kind === "page" ? approvalForm(visit.html) : undefined;
    if (form === undefined) throw new Error(`there is no page for ${entered.paymentId}`);
    const fields = untouchedFields(form);
    fields.set(
      nameOf(form, ({ autocomplete }) => autocomplete.includes("one-time-code")),
      await newestCode(),
    );
    const action = new URL(form.action, visit.url);
    return { ...entered, approve: () => browser.submit(action, fields) };
  }

  async function newestCode(): Promise<string> {
    const inbox = `${document.auth.browser}/sandbox/messages/${psu.psuId}`;
    const get = { method: "GET", headers: {}, body: undefined, redirect: "manual" } as const;
    const { messages } = Object(JSON.parse(await (await web.fetch(inbox, get)).text()));
    return CODE.exec(messages[0]?.text ?? "")?.[0] ?? "";
  }

  async function openAll(amounts: readonly number[]): Promise<readonly OpenPayment[]> {
    const entered = await Promise.all(amounts.map(enter));
    const opened: OpenPayment[] = [];
    for (const each of entered) opened.push(await openPage(each));
    return opened;
  }

  /** What the TPP is told of each in the end. */
  async function endsOf(payments: readonly OpenPayment[]): Promise<readonly string[]> {
    const ids = payments.map(({ paymentId }) => paymentId);
    const open =
      "SELECT FROM payment WHERE payment_id = ANY ($1) AND state IN ('entered', 'approved', 'handed_over', 'accepted')";
    const areOver = async () => (await runSql(document.databases.resource, open, [ids])).length === 0;
    await eventually(areOver, 60_000);
    return Promise.all(ids.map(statusOf));
  }

  /** Which of them auth has kept as approved. */
  async function approvedOf(payments: readonly OpenPayment[]): Promise<ReadonlySet<unknown>> {
    const text = "SELECT payment_id FROM signing_request WHERE payment_id = ANY ($1) AND state = 'approved'";
    const ids = payments.map(({ paymentId }) => paymentId);
    return new Set((await runSql(document.databases.auth, text, [ids])).map((row) => Object(row).payment_id));
  }

  /** Nothing in the books of both services contradicts what was told, and every currency comes to nothing. */
  async function expectBooksToAgree(
    payments: readonly OpenPayment[],
    ends: readonly string[],
  ): Promise<void> {
    const told = payments.map(({ paymentId, instructionIdentification, minor }, place) => ({
      paymentId,
      input: { instructionIdentification, minor },
      end: ends[place] ?? "",
    }));
    expect(await contradictionsOf(document, told)).to.deep.equal([]);
  }

  it(`while being deleted are executed once or never reach the bank, ${RACED_PAYMENTS} at once (COBS 3.2.7, A-64)`, async () => {
    const payments = await openAll(Array.from({ length: RACED_PAYMENTS }, (_, place) => 101 + place));
    const removals = await Promise.all(
      payments.map(async ({ paymentId, sign, approve }, place) => {
        const remove = () => call({ method: "DELETE", path: `/my/payments/${paymentId}` });
        if (place < SURE) await approve();
        const removing = remove();
        if (place >= RACED_PAYMENTS - SURE) await removing;
        const confirming = call({ method: "PUT", path: sign, body: REDIRECT });
        await Promise.all([removing, confirming, place < SURE || approve()]);
        return removing;
      }),
    );
    const ends = await endsOf(payments);
    const approved = await approvedOf(payments);
    for (const [place, { paymentId }] of payments.entries()) {
      const end = approved.has(paymentId) ? "ACSC" : "deleted";
      expect(ends[place], `payment ${place}`).to.equal(end);
      const { status, unanswered } = removals[place] ?? { status: 0, unanswered: 0 };
      // Whoever has to ask again after a 503 may hear that there is nothing left to delete.
      if (unanswered === 0) expect(status, `deletion ${place}`).to.equal(end === "deleted" ? 200 : 404);
    }
    expect(new Set(ends)).to.deep.equal(new Set(["ACSC", "deleted"]));
    await expectBooksToAgree(payments, ends);
  });

  it("at the same time without enough money for both are executed one of the two (PAY-10)", async () => {
    const { json } = await call({ method: "GET", path: `/my/accounts/${account.id}/balance` });
    const [{ amount }] = Object(json).balances.filter(
      ({ type, amount: { currency } }: Balance) =>
        type.codeOrProprietary.code === "CLAV" && currency === "CZK",
    );
    const minor = Math.floor(amount.value * 60);
    const both = await openAll([minor, minor]);
    await Promise.all(both.map(({ approve }) => approve()));
    const ends = await endsOf(both);
    expect(ends.toSorted()).to.deep.equal(["ACSC", "RJCT"]);
    await expectBooksToAgree(both, ends);
  });
});

interface Balance {
  readonly type: { readonly codeOrProprietary: { readonly code: string } };
  readonly amount: { readonly currency: string };
}

function approvalForm(html: string): HtmlForm | undefined {
  return readHtmlPage(html).forms.find(({ action }) => action.endsWith("/approve"));
}
