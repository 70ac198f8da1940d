import { expect } from "chai";
import { type PaymentOptions, paymentBody } from "../../packages/sandbox/src/tpp/payment-body.ts";
import { openPaymentsApi, type PaymentsApi } from "../../packages/sandbox/src/tpp/payments-api.ts";
import { until } from "../support/eventually.ts";
import { newestCode } from "./newest-code.ts";
import { atPages, type PsuAtPages, TEXTS } from "./psu-at-pages.ts";
import { openScene, type Scene } from "./scene.ts";

const USERNAME = "jana";
const { phrases, messages } = TEXTS.en;

type Given = Omit<PaymentOptions, "from">;

/** A payment of each type (COBS chapter 5), with what its PSU has to see of it. */
const PAYMENTS: Readonly<Record<string, { readonly given: Given; readonly seen: readonly string[] }>> = {
  "a domestic payment": {
    given: { to: "CZ6508000000192000145399", amount: "1.50", currency: "CZK", vs: "77", message: "Faktura" },
    seen: ["1.50", "CZK", "CZ65 0800 0000 1920 0014 5399", "77", "Faktura"],
  },
  "a SEPA payment": {
    given: {
      to: "AT611904300234573201",
      amount: "1.10",
      currency: "EUR",
      name: "Beispiel GmbH",
      endToEnd: "E2E-77",
    },
    seen: ["1.10", "EUR", "AT61 1904 3002 3457 3201", "Beispiel GmbH", "E2E-77"],
  },
  "a foreign payment inside of the EEA": {
    given: {
      to: "DE89370400440532013000",
      amount: "1.20",
      currency: "USD",
      name: "Muster AG",
      bic: "TESTDEFF",
      bearer: "SHAR",
    },
    seen: ["1.20", "USD", "DE89 3704 0044 0532 0130 00", "Muster AG", "TESTDEFF"],
  },
  "a foreign payment outside of the EEA": {
    given: {
      to: "123456789",
      amount: "1.30",
      currency: "USD",
      name: "Sample Boat Inc.",
      country: "US",
      bic: "TESTUS33",
    },
    seen: ["1.30", "USD", "123456789", "Sample Boat Inc.", "TESTUS33"],
  },
};

describe("A PSU who is sent to approve a payment of a TPP", function payments() {
  this.timeout(120_000);
  let scene: Scene;
  let api: PaymentsApi;
  let from: string;

  before(async () => {
    scene = await openScene();
    const { tpp, document } = scene;
    const application = await tpp.register(["aisp", "pisp"]);
    const input = { psu: USERNAME, scope: "aisp pisp" };
    const { accessToken: token } = await tpp.authorize(application, input);
    const client = await tpp.oauth(application);
    api = openPaymentsApi({ client, token, resourceBase: document.resourceBase });
    from = scene.psu(USERNAME).accounts[0]?.iban ?? "";
  });

  /** Comes to the page of the order as the redirect says, signed in, in a browser that nobody has used. */
  async function arriveAt(url: URL, look: { readonly javaScriptEnabled: boolean }): Promise<PsuAtPages> {
    const at = atPages(scene, await scene.visitor(look));
    await at.page.goto(url.href);
    await at.fillIn(scene.psu(USERNAME));
    await at.press(phrases.sign_in);
    await at.page.getByRole("heading", { name: phrases.order_title }).waitFor();
    return at;
  }

  // Of the kinds each second one without scripts: the page is the same, with other parts.
  for (const [index, [what, { given, seen }]] of Object.entries(PAYMENTS).entries()) {
    const javaScriptEnabled = index % 2 === 0;
    it(`sees all of ${what}, approves it and returns, ${javaScriptEnabled ? "with" : "without"} JavaScript (COBS 3.2.4 to 3.2.11)`, async () => {
      const { transactionIdentification: paymentId } = await api.initiate(paymentBody({ from, ...given }));
      const signing = await api.openSigning(paymentId);
      const returnUrl = `${scene.site.url.href}?state=${paymentId}`;
      const at = await arriveAt(await api.startSigning(signing, returnUrl), { javaScriptEnabled });
      const text = ((await at.page.getByRole("main").textContent()) ?? "").replaceAll("\u00a0", " ");
      for (const shown of seen) expect(text).to.include(shown);
      await at.page.getByLabel(phrases.bound_code).fill(await newestCode(scene, scene.psu(USERNAME).psuId));
      await at.press(phrases.approve_payment);
      expect(await at.heading()).to.equal(messages.signing_approved.title);
      await at.page.getByRole("link", { name: /127|localhost|tpp/i }).click();
      const back = await at.back();
      expect(Object.fromEntries(back.searchParams)).to.deep.equal({ state: paymentId, ...signing });
      await until(
        async () => (await api.signingOutcome(signing)).state === "DONE",
        "the TPP learns of the approval",
      );
      expect(await api.status(paymentId)).to.match(/^ACS[PC]$/);
    });
  }

  it("returns after a refusal, of which the TPP learns, and nothing is executed (COBS 3.2.5)", async () => {
    const given = { to: "CZ6508000000192000145399", amount: "1.70", currency: "CZK", priority: "INST" };
    const { transactionIdentification: paymentId } = await api.initiate(paymentBody({ from, ...given }));
    const url = await api.startSigning(await api.openSigning(paymentId), scene.site.url.href);
    const at = await arriveAt(url, { javaScriptEnabled: false });
    await at.press(phrases.refuse_payment);
    expect((await at.back()).searchParams.get("paymentId")).to.equal(paymentId);
    await until(async () => (await api.status(paymentId)) === "RJCT", "the TPP learns of the refusal");
    expect((await api.read(paymentId)).signInfo.state).to.equal("REJECT");
  });
});
