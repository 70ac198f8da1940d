import { parseApplicationId, parsePsuId } from "@cobs/cobs-model";
import { parseOrganisationIdentifier } from "@cobs/psd2-certificates";
import { expect } from "chai";
import { createConsentId } from "../../../packages/auth/src/consent/consent-id.ts";
import { createConsentStore } from "../../../packages/auth/src/consent/consent-postgres.ts";
import { signingCs } from "../../../packages/auth/src/pages/texts/signing-cs.ts";
import { signingEn } from "../../../packages/auth/src/pages/texts/signing-en.ts";
import { ORDER_MEMBERS } from "../../../packages/auth/src/signing/order-members.ts";
import { psuAct } from "../../contracts/test-acts.ts";
import { eventually } from "../../support/eventually.ts";
import type { RawAnswer } from "../../support/raw-https.ts";
import { untilShown } from "../pages/until-shown.ts";
import { openBrowser, signIn, signInNow, statusOf } from "../psu-browser.ts";
import { type RunningAuth, runAuth } from "../running-auth.ts";
import { FORM_BODY, JSON_BODY } from "../test-application.ts";
import { canonicalOrder, DOMESTIC_ORDER, SEPA_ORDER } from "./sample-orders.ts";
import { openDesk, pathOf, type SigningDesk, type ToldSigning } from "./signing-desk.ts";

const { paymentId: _, ...SEPA } = SEPA_ORDER;
const { fee: _fee, feeCurrency: _feeCurrency, ...FREE_OF_CHARGE } = SEPA;
/** Of what an order may say that which the samples do not. */
const WHOLE = {
  endToEndIdentification: "E2E-77",
  creditorBank: "Sample Commercial Bank, Wall St 1",
  creditorCurrency: "USD",
  debtorCurrency: "CHF",
  ultimateCreditor: "Muster AG, Weg 2, DE",
  purpose: "GDDS",
  variableSymbol: "2026005",
  constantSymbol: "0308",
  specificSymbol: "1234",
};
const BACK = "https://tpp.example/callback?state=of-the-tpp";

describe("The approval of an order", function approving() {
  this.timeout(120_000);
  let auth: RunningAuth;
  let second: RunningAuth;
  let desk: SigningDesk;
  before(async () => {
    const callers = { BANK_CALLERS: "resource=introspect,feed,signing;operator=operator" };
    auth = await runAuth(callers);
    second = await runAuth(callers, auth);
    desk = await openDesk(auth);
  });
  after(async () => {
    await second.stop();
    await auth.stop();
  });
  // What is counted of a PSU over all orders is another test's.
  beforeEach(() => auth.clock.advance(3_600_000));

  const headingOf = ({ body }: RawAnswer) => /<h1>([^<]*)<\/h1>/.exec(body)?.[1];
  const backOf = ({ paymentId, signId }: ToldSigning) => `${BACK}&paymentId=${paymentId}&signId=${signId}`;
  const wrong = (code: string) => String((Number(code.replace(" ", "")) + 1) % 10 ** 8).padStart(8, "0");
  const stateOf = async ({ id }: ToldSigning) => (await desk.find(id)).state;

  /** A consent of the PSU to payments of the desk's application. */
  async function consentTo({ application }: SigningDesk) {
    const consents = createConsentStore(auth.database);
    const [id, psu, now] = [createConsentId(), parsePsuId("psu-jana"), new Date()];
    const given = await consents.give(
      {
        id,
        psu,
        approval: id,
        applicationId: parseApplicationId(application.client_id),
        organisationIdentifier: parseOrganisationIdentifier(
          auth.tpp(application.certificate).organisationIdentifier,
        ),
        services: ["pisp"],
        accounts: [],
        givenAt: now,
        authenticatedAt: now,
        validUntil: new Date(now.getTime() + 86_400_000),
      },
      psuAct(psu),
    );
    expect(given).to.equal(true);
    const expire = "UPDATE consent SET valid_until = now() + $2::interval WHERE id = $1";
    return {
      withdraw: () => consents.end(id, { by: "psu", reason: "withdrawn", act: psuAct(psu) }),
      expireIn: (interval: string) => auth.database.run({ name: "", text: expire, values: [id, interval] }),
    };
  }

  /** While no job writes which consents have expired. */
  const beforeExpiryIsWritten = (act: () => Promise<void>) =>
    auth.database.transaction(async (queries) => {
      const text = "SELECT FROM pg_advisory_xact_lock(hashtextextended('consent expiry', 0))";
      await queries.run({ name: "", text, values: [] });
      await act();
    });

  it("takes a sign-in and a code for this very order, and leads back (RTS Articles 4, 5; COBS 3.2.10)", async () => {
    const told = await desk.request();
    const { browser, page } = await desk.arrive(told);
    expect(page.status, page.body).to.equal(200);
    const approved = await browser.post(page, "approve", { code: await desk.newestCode() });
    expect([approved.status, approved.headers.location]).to.deep.equal([303, pathOf(told)]);
    const success = await browser.follow(approved);
    expect(headingOf(success)).to.equal("Platbu jste schválili");
    expect(success.body).to.include(`href="${backOf(told).replaceAll("&", "&amp;")}"`);
    const { state, approval, digest } = await desk.find(told.id);
    expect(state).to.equal("approved");
    expect(approval).to.include({ digest, approvedAt: auth.clock.now().toISOString() });
    expect(approval?.methods).to.deep.equal(["password", "totp", "delivered_code"]);
  });

  it("shows every line as ordered, and amount, payee and account in the code's text (RTS Article 5(1)(a), PAY-06)", async () => {
    const told = await desk.request({ order: { ...SEPA, ...SYMBOLS } });
    const { page } = await desk.arrive(told);
    for (const shown of [
      "1\u00a0234\u00a0567,89 EUR",
      "15,00 CZK",
      "Beispiel GmbH",
      "AT61 1904 3002 3457 3201",
      "CZ32 9900 0000 0020 0000 0018",
      "neděle 28.\u00a0března 2027",
      "Rechnung  77",
      "Karel Novák, ID CARD 1245789528",
      "TESTATWW",
      "Musterweg 1, 1030 Wien, AT",
    ])
      expect(page.body, shown).to.include(shown);
    // SEPA wants a reference of the payer always; this is how a payer who has none says so.
    expect(page.body)
      .to.not.include("NOTPROVIDED")
      .and.to.not.include(signingCs.phrases.order_endToEndIdentification);
    const [text] = await desk.messages();
    expect(text).to.match(/\d{4} \d{4}/);
    for (const shown of ["1\u00a0234\u00a0567,89\u00a0EUR", "Beispiel GmbH", "AT61 1904 3002 3457 3201"])
      expect(text).to.include(shown);
  });

  it("names every line of a full order in the language of its PSU (RTS Article 5(1)(a))", async () => {
    const whole = { ...SEPA, ...WHOLE };
    const told = await desk.request({ order: whole });
    const { browser } = await desk.arrive(told);
    for (const language of ["cs", "en"] as const) {
      const { body } = await browser.get(`${pathOf(told)}?lang=${language}`);
      const { phrases } = { cs: signingCs, en: signingEn }[language];
      const lines = ORDER_MEMBERS.filter((member) => !/^(currency|feeCurrency|creditorNumber)$/.test(member));
      for (const member of lines) {
        const label = new Map(Object.entries(phrases)).get(`order_${member}`) ?? "none";
        expect(body, `${language} ${member}`).to.include(label.replaceAll("'", "&#39;"));
      }
      for (const shown of Object.values(WHOLE)) expect(body).to.include(shown);
    }
  });

  it("says in both languages that the bank converts an amount in another currency than the account's", async () => {
    const { answer } = auth.accounts;
    const [mine, EUR] = [SEPA.debtorIban, "EUR"];
    const [listed] = JSON.parse(answer.body).accounts;
    const keptIn = (...currencies: readonly string[]) => ({
      status: 200,
      body: JSON.stringify({
        accounts: currencies.map((currency) => ({ ...listed, id: currency, iban: mine, currency })),
      }),
    });
    const cases = [
      ["made", { debtorCurrency: "CZK" }, keptIn(EUR)],
      ["none", { debtorCurrency: EUR }, keptIn("CZK")],
      // Resource tells the main currency alone: the account may be kept in EUR too, and be charged there.
      ["unknown", {}, keptIn("CZK")],
      ["none", {}, keptIn(EUR)],
      ["none", {}, keptIn("CZK", EUR)],
      ["unknown", {}, answer],
      ["unknown", {}, { status: 503, body: "" }],
    ] as const;
    try {
      for (const [exchange, order, known] of cases) {
        auth.accounts.answer = known;
        const told = await desk.request({ order: { ...FREE_OF_CHARGE, ...order } });
        const { browser } = await desk.arrive(told);
        for (const [language, { phrases }] of Object.entries({ cs: signingCs, en: signingEn })) {
          const { status, body } = await browser.get(`${pathOf(told)}?lang=${language}`);
          expect(status).to.equal(200);
          for (const each of ["made", "unknown"] as const)
            expect(body.includes(phrases[`order_exchange_${each}`].replace("{currency}", EUR))).to.equal(
              exchange === each,
            );
        }
        auth.clock.advance(3_600_000);
      }
    } finally {
      auth.accounts.answer = answer;
    }
  });

  it("says once that a new code was sent, in both languages, and not beside a fault", async () => {
    for (const [language, { phrases }] of Object.entries({ cs: signingCs, en: signingEn })) {
      const told = await desk.request();
      const { browser } = await desk.arrive(told);
      const page = await browser.get(`${pathOf(told)}?lang=${language}`);
      expect(statusOf(page)).to.equal(undefined);
      const first = await desk.newestCode();
      const asked = await browser.post(page, "code");
      expect(asked.headers.location).to.equal(pathOf(told));
      expect(statusOf(await browser.post(page, "approve", { code: first }))).to.equal(undefined);
      expect(statusOf(await browser.follow(asked))).to.equal(phrases.done_code_sent);
      expect(statusOf(await browser.get(pathOf(told)))).to.equal(undefined);
      await browser.post(page, "approve", { code: await desk.newestCode() });
      expect(await stateOf(told)).to.equal("approved");
    }
  });

  it("shows texts of strangers as plain letters (UI-09, UI-10)", async () => {
    const message = `<script>alert(1)</script>{{7*7}}<%= 1 %>&amp;`;
    const { page } = await desk.arrive(
      await desk.request({ order: { message, creditorName: "<b>Bank</b>" } }),
    );
    expect(page.body).to.not.include("<script>").and.not.include("<b>Bank");
    expect(page.body).to.include("&lt;script&gt;alert(1)&lt;/script&gt;{{7*7}}&lt;%= 1 %&gt;&amp;amp;");
  });

  it("needs only the code within five minutes of a sign-in in the same browser (EBA/OP/2020/10)", async () => {
    const { browser } = await desk.arrive(await desk.request());
    const next = await desk.request();
    auth.clock.advance(4 * 60_000);
    const page = await browser.get(pathOf(next));
    expect(headingOf(page)).to.equal("Schvalujete tuto platbu?");
    await browser.post(page, "approve", { code: await desk.newestCode() });
    expect(await stateOf(next)).to.equal("approved");
    const late = await desk.request();
    await browser.get(pathOf(late));
    auth.clock.advance(60_001);
    expect(headingOf(await browser.get(pathOf(late)))).to.equal("Přihlášení");
  });

  it("asks for no passkey on a sign-in that is too old, however often the page is loaded (EBA/OP/2020/10)", async () => {
    const text = `INSERT INTO passkey (id, psu_id, credential_id, public_key, counter, name, added_at)
      VALUES ('of-jana', 'psu-jana', '\\x01', '\\x02', 0, '', now() - interval '1 day')`;
    await auth.database.run({ name: "add-passkey", text, values: [] });
    try {
      const { browser, page } = await desk.arrive(await desk.request());
      const isAsked = ({ body }: RawAnswer) => body.includes("data-passkeys");
      const again = async () => isAsked(await browser.post(page, "approve", { code: " " }));
      expect([isAsked(page), await again()]).to.deep.equal([true, true]);
      auth.clock.advance(4 * 60_000);
      expect(await again()).to.equal(true);
      auth.clock.advance(60_000);
      expect(await again()).to.equal(false);
    } finally {
      await auth.database.run({ name: "drop-passkey", text: "DELETE FROM passkey", values: [] });
    }
  });

  it("sends no further code on a sign-in that is too old (EBA/OP/2020/10)", async () => {
    const { browser, page } = await desk.arrive(await desk.request());
    const [newest] = await desk.messages();
    auth.clock.advance(4 * 60_000);
    await browser.post(page, "approve", { code: " " });
    auth.clock.advance(60_000);
    const asked = await browser.post(page, "code");
    expect((await desk.messages())[0]).to.equal(newest);
    expect(headingOf(await browser.follow(asked))).to.equal("Přihlášení");
  });

  it("needs a sign-in before anything of the order is shown", async () => {
    const told = await desk.request({ order: { message: "neverseen" } });
    const page = await openBrowser(auth).get(pathOf(told));
    expect(headingOf(page)).to.equal("Přihlášení");
    expect(page.body).to.include("poslala platební příkaz").and.not.include("Krok 1");
    expect(page.body).to.not.include("neverseen").and.not.include("1\u00a0500");
  });

  it("is refused to another PSU, who can sign out for the right one (PAY-07)", async () => {
    const told = await desk.request({ order: { message: "neverseen" } });
    const { browser, page } = await desk.arrive(told, "petr");
    expect(headingOf(page)).to.equal("Tento příkaz nemůžete schválit vy");
    expect(page.body).to.match(/Jste přihlášeni jako [^<{]+\. Tento příkaz patří někomu jinému/);
    expect(page.body).to.not.include("neverseen");
    const signInPage = await browser.follow(await browser.post(page, "sign-out"));
    const order = await browser.follow(await signIn(auth, browser, signInPage, "jana"));
    expect(headingOf(order)).to.equal("Schvalujete tuto platbu?");
  });

  it("shows the order, even when it is over, to its PSU and to no other one (PAY-07)", async () => {
    const told = await desk.request({ order: { message: "neverseen" } });
    const own = await desk.arrive(told);
    await desk.cancel(told.id);
    const other = openBrowser(auth);
    await signIn(auth, other, await other.get("/consents"), "petr");
    for (const [browser, isShown] of [
      [own.browser, true],
      [other, false],
      [openBrowser(auth), false],
    ] as const) {
      const { body } = await browser.get(pathOf(told));
      expect(body).to.include("Příkaz byl zrušen");
      expect(body.includes("neverseen")).to.equal(isShown);
    }
  });

  it("happens once for fifty right codes at two processes, all led to the same page (UI-16)", async () => {
    const told = await desk.request();
    const { browser, page } = await desk.arrive(told);
    const { path, body, headers } = formOf(page, browser.cookies, await desk.newestCode());
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        (index % 2 ? auth : second).browse({ method: "POST", path, body, headers }),
      ),
    );
    expect(new Set(answers.map(({ status, headers: sent }) => `${status} ${sent.location}`))).to.deep.equal(
      new Set([`303 ${pathOf(told)}`]),
    );
    const text = "SELECT action FROM audit_entry WHERE subject = $1 AND action = 'signing.approved'";
    const rows = await auth.database.run({ name: "approved", text, values: [told.id] });
    expect(rows).to.have.length(1);
    expect(await eventsOf(told)).to.deep.equal(["signing_approved"]);
  });

  it("ends in refusal at the fifth wrong code, even of fifty at once (RTS Article 4(3)(b))", async () => {
    const told = await desk.request();
    const { browser, page } = await desk.arrive(told);
    const right = await desk.newestCode();
    const first = await browser.post(page, "approve", { code: wrong(right) });
    expect(first.status).to.equal(422);
    expect(first.body).to.include("Tímto kódem tento příkaz schválit nelze");
    const { path, body, headers } = formOf(page, browser.cookies, wrong(right));
    await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        (index % 2 ? auth : second).browse({ method: "POST", path, body, headers }),
      ),
    );
    const { state, reason } = await desk.find(told.id);
    expect([state, reason]).to.deep.equal(["refused", "tries_exhausted"]);
    const after = await browser.follow(await browser.post(page, "approve", { code: right }));
    expect(headingOf(after)).to.equal("Platba byla odmítnuta");
    expect(await eventsOf(told)).to.deep.equal(["signing_refused"]);
  });

  it("takes no code of another order or browser, and none that was replaced (RTS Article 5(1)(b))", async () => {
    const [told, cheap] = [await desk.request(), await desk.request({ order: { amount: "1.00" } })];
    const { browser, page } = await desk.arrive(told);
    const here = await desk.newestCode();
    await browser.get(pathOf(cheap));
    const ofCheap = await desk.newestCode();
    expect((await browser.post(page, "approve", { code: ofCheap })).status).to.equal(422);
    const elsewhere = await desk.arrive(told);
    const there = await desk.newestCode();
    const refused = await browser.post(page, "approve", { code: there });
    expect(refused.status).to.equal(422);
    // It was the newest.
    expect(refused.body).to.contain("Zadejte nejnovější, nebo si nechte poslat nový");
    expect((await elsewhere.browser.post(elsewhere.page, "approve", { code: here })).status).to.equal(422);
    expect(await stateOf(told)).to.equal("waiting");
    await elsewhere.browser.post(elsewhere.page, "approve", { code: there });
    expect(await stateOf(told)).to.equal("approved");
  });

  it("takes no form of a page that showed another amount or payee (RTS Article 5(1)(d), PAY-05)", async () => {
    for (const [name, changed] of [
      ["amount", "9999.00"],
      ["creditorIban", "CZ3299000000002000000018"],
    ]) {
      const told = await desk.request();
      const { browser, page } = await desk.arrive(told);
      const text = `UPDATE signing_request SET order_text = regexp_replace(order_text, '"${name}":"[^"]*"',
        '"${name}":"${changed}"') WHERE id = $1`;
      await auth.database.run({ name: `tamper-${name}`, text, values: [told.id] });
      expect((await browser.post(page, "approve", { code: await desk.newestCode() })).status).to.equal(403);
      const anew = await browser.get(pathOf(told));
      expect((await browser.post(anew, "approve", { code: await desk.newestCode() })).status).to.equal(422);
      expect(await stateOf(told)).to.equal("waiting");
    }
  });

  it("takes no form from another site or without our token (UI-01)", async () => {
    const told = await desk.request();
    const { browser, page } = await desk.arrive(told);
    const code = await desk.newestCode();
    const sent = formOf(page, browser.cookies, code);
    const foreign = { "sec-fetch-site": "cross-site", origin: "https://evil.example" };
    for (const headers of [
      { ...sent.headers, ...foreign },
      { ...sent.headers, origin: "https://evil.example" },
    ])
      expect((await auth.browse({ method: "POST", ...sent, headers })).status).to.equal(403);
    expect((await browser.post(page, "approve", { code, token: "x" })).status).to.equal(403);
    const refuse = /action="[^"]*\/refuse"[\s\S]*?value="([^"]*)"/.exec(page.body)?.[1] ?? "";
    expect((await browser.post(page, "approve", { code, token: refuse })).status).to.equal(403);
    const stranger = await auth.browse({ method: "POST", ...sent, headers: FORM_BODY });
    expect([stranger.status, stranger.headers.location]).to.deep.equal([303, pathOf(told)]);
    expect(await stateOf(told)).to.equal("waiting");
  });

  it("is refused by the PSU with one press, which leads back without the outcome (COBS 3.2.10)", async () => {
    const told = await desk.request();
    const { browser, page } = await desk.arrive(told);
    const twoHosts = { ...page, body: page.body.replaceAll(/<input[^>]* name="host"[^>]*>/g, "$&$&") };
    expect((await browser.post(twoHosts, "refuse")).status, "a malformed form refuses nothing").to.equal(400);
    const [refused, again] = [await browser.post(page, "refuse"), await browser.post(page, "refuse")];
    expect([refused.status, refused.headers.location]).to.deep.equal([303, backOf(told)]);
    expect([again.status, again.headers.location]).to.deep.equal([303, pathOf(told)]);
    expect(headingOf(await browser.follow(again))).to.equal("Platbu jste odmítli");
    const { state, reason } = await desk.find(told.id);
    expect([state, reason]).to.deep.equal(["refused", "declined"]);
  });

  it("leads back with the ids of this order alone, even if the return URL has an earlier one's", async () => {
    const told = await desk.request({ body: { returnUrl: `${BACK}&paymentId=P-0&signId=S-0` } });
    const browser = openBrowser(auth);
    const left = await browser.post(await browser.get(pathOf(told)), "cancel");
    expect(left.headers.location).to.equal(backOf(told));
  });

  it("leads back to the return URL that the TPP has named last (COBS 3.2.10)", async () => {
    const body = { paymentId: "P-twice", order: canonicalOrder({ ...DOMESTIC_ORDER, paymentId: "P-twice" }) };
    const told = await desk.request({ body });
    const again = await desk.request({ body: { ...body, returnUrl: `${BACK}&again` } });
    expect(again.id).to.equal(told.id);
    const { browser, page } = await desk.arrive(told);
    const left = await browser.post(page, "refuse");
    expect(left.headers.location).to.equal(`${BACK}&again&paymentId=P-twice&signId=S-1`);
  });

  describe("whose TPP names another address while the page is shown", () => {
    const OTHER = "https://other.example/back";
    const addressesAre = async (addresses: string) => {
      const text = "UPDATE application SET redirect_uris = $2 WHERE id = $1";
      const values = [desk.application.client_id, addresses];
      await auth.database.run({ name: "set-addresses", text, values });
    };
    before(() => addressesAre(`{https://tpp.example/callback,${OTHER}}`));
    after(() => addressesAre("{https://tpp.example/callback}"));

    /** An order, and what has the TPP name another address for it. */
    async function movable(paymentId: string) {
      const body = { paymentId, order: canonicalOrder({ ...DOMESTIC_ORDER, paymentId }) };
      const told = await desk.request({ body });
      return { told, move: (returnUrl: string) => desk.request({ body: { ...body, returnUrl } }) };
    }
    const linkOf = ({ paymentId }: ToldSigning) =>
      `href="${OTHER}?paymentId=${paymentId}&amp;signId=S-1" rel="noreferrer">Vrátit se na other.example<`;

    it("is refused with one press, but leads only to the host that the page named, and shows the other one", async () => {
      const { told, move } = await movable("P-moved-1");
      const { browser, page } = await desk.arrive(told);
      expect(page.body).to.include("tpp.example").and.to.not.include("other.example");
      await move(OTHER);
      const refused = await browser.post(page, "refuse");
      expect([refused.status, refused.headers.location]).to.deep.equal([303, pathOf(told)]);
      expect(await stateOf(told)).to.equal("refused");
      const outcome = await browser.follow(refused);
      expect(headingOf(outcome)).to.equal("Platbu jste odmítli");
      expect(outcome.body).to.include(linkOf(told));
    });

    it("leads at once to another path or query of the host that the page named", async () => {
      const { told, move } = await movable("P-moved-2");
      const { browser, page } = await desk.arrive(told);
      await move(`${BACK}&again`);
      const refused = await browser.post(page, "refuse");
      expect(refused.headers.location).to.equal(`${BACK}&again&paymentId=P-moved-2&signId=S-1`);
    });

    it("is approved as it was read, and the way back names the other host", async () => {
      const { told, move } = await movable("P-moved-3");
      const { browser, page } = await desk.arrive(told);
      await move(OTHER);
      const approved = await browser.post(page, "approve", { code: await desk.newestCode() });
      expect((await browser.follow(approved)).body).to.include(linkOf(told));
      expect(await stateOf(told)).to.equal("approved");
    });

    it("does not lead there from the sign-in either, before that names the other host", async () => {
      const { told, move } = await movable("P-moved-4");
      const browser = openBrowser(auth);
      const page = await browser.get(pathOf(told));
      await move(OTHER);
      const left = await browser.post(page, "cancel");
      expect([left.status, left.headers.location]).to.deep.equal([303, pathOf(told)]);
      const anew = await browser.follow(left);
      expect(anew.body).to.include("other.example").and.to.not.include("tpp.example");
      const again = await browser.post(anew, "cancel");
      expect(again.headers.location).to.equal(`${OTHER}?paymentId=P-moved-4&signId=S-1`);
      expect(await stateOf(told)).to.equal("waiting");
    });
  });

  it("leads back from the sign-in too, while the order stays undecided", async () => {
    const told = await desk.request();
    const browser = openBrowser(auth);
    const left = await browser.post(await browser.get(pathOf(told)), "cancel");
    expect([left.status, left.headers.location]).to.deep.equal([303, backOf(told)]);
    expect(await stateOf(told)).to.equal("waiting");
  });

  it("sends one code for many loads of a page, five for one order, and says when none is left", async () => {
    const { browser } = await desk.arrive(await desk.request());
    const told = await desk.request({ order: { amount: "321.09" } });
    const load = () => browser.get(pathOf(told));
    await Promise.all(Array.from({ length: 10 }, load));
    const page = await load();
    const sent = async () => (await desk.messages()).filter((text) => text.includes("321,09"));
    const [first, ...others] = await sent();
    expect(first).to.match(/\d{4} \d{4}/);
    expect(others).to.deep.equal([]);
    for (let asked = 0; asked < 4; asked += 1) await browser.post(page, "code");
    const [newest, ...former] = await sent();
    expect(former).to.have.length(4);
    expect(newest).to.not.equal(first);
    const more = await browser.post(page, "code");
    expect(more.body).to.include("Další kód pro tento příkaz poslat nemůžeme");
    expect(await sent()).to.deep.equal([newest, ...former]);
    await browser.post(page, "approve", { code: await desk.newestCode() });
    expect(await stateOf(told)).to.equal("approved");
  });

  it("can still be refused when there is no further code for the order", async () => {
    const told = await desk.request();
    const { browser, page } = await desk.arrive(told);
    for (let asked = 0; asked < 4; asked += 1) await browser.post(page, "code");
    const elsewhere = await desk.arrive(told);
    expect(headingOf(elsewhere.page)).to.equal("Další kód pro tento příkaz poslat nemůžeme");
    expect(elsewhere.page.body, "what is refused").to.include("Částka");
    const refused = await elsewhere.browser.post(elsewhere.page, "refuse");
    expect([refused.headers.location, await stateOf(told)]).to.deep.equal([backOf(told), "refused"]);
  });

  it("says, when the last code went to another browser, that none is good in this one", async () => {
    const told = await desk.request();
    const { browser, page } = await desk.arrive(told);
    const elsewhere = await desk.arrive(told);
    for (let asked = 0; asked < 3; asked += 1) await elsewhere.browser.post(elsewhere.page, "code");
    const more = await browser.post(page, "code");
    expect([more.status, headingOf(more)]).to.deep.equal([
      200,
      signingCs.messages.signing_codes_used_up.title,
    ]);
    expect(more.body).to.include("žádný z\u00a0nich v\u00a0tomto prohlížeči neplatí");
    await elsewhere.browser.post(elsewhere.page, "approve", { code: await desk.newestCode() });
    expect(await stateOf(told)).to.equal("approved");
  });

  it("is held off after five wrong codes for whatever orders, with the time told (RTS Article 4(3)(b))", async () => {
    const [first, other] = [await desk.request(), await desk.request()];
    const { browser, page } = await desk.arrive(first);
    for (let tried = 0; tried < 4; tried += 1) await browser.post(page, "approve", { code: "12345678" });
    const otherPage = await browser.get(pathOf(other));
    const right = await desk.newestCode();
    const last = await browser.post(otherPage, "approve", { code: wrong(right) });
    const held = await browser.post(otherPage, "approve", { code: right });
    for (const answer of [last, held]) {
      expect([answer.status, answer.headers["retry-after"]]).to.deep.equal([429, "900"]);
      expect(headingOf(answer)).to.equal("Platby teď nějakou dobu nelze schvalovat");
    }
    expect([await stateOf(first), await stateOf(other)]).to.deep.equal(["waiting", "waiting"]);
    const before = await desk.messages();
    const unseen = await desk.request();
    const without = await browser.get(pathOf(unseen));
    expect([without.status, without.headers["retry-after"]], "no code is sent either").to.deep.equal([
      429,
      "900",
    ]);
    expect(await desk.messages()).to.deep.equal(before);
    for (const [page, told] of [
      [held, other],
      [without, unseen],
    ] as const) {
      expect(page.body, "what is refused").to.include("Částka").and.to.include(">Odmítnout platbu<");
      expect((await browser.post(page, "refuse")).headers.location).to.equal(backOf(told));
      expect(await stateOf(told)).to.equal("refused");
    }
  });

  it("shows a PSU who is held off until when, whether a code is still good or none is left", async () => {
    const [first, other] = [await desk.request(), await desk.request()];
    const { browser, page } = await desk.arrive(first);
    for (let asked = 1; asked < 5; asked += 1) await browser.post(page, "code");
    for (let tried = 0; tried < 4; tried += 1) await browser.post(page, "approve", { code: "12345678" });
    await browser.post(await browser.get(pathOf(other)), "approve", { code: "12345678" });
    const elsewhere = await desk.arrive(first);
    for (const shown of [
      await browser.get(pathOf(first)),
      await browser.get(pathOf(other)),
      await browser.post(page, "code"),
      await browser.post(page, "approve", { code: " " }),
      elsewhere.page,
    ])
      expect([shown.status, headingOf(shown)]).to.deep.equal([
        429,
        "Platby teď nějakou dobu nelze schvalovat",
      ]);
  });

  it("is open again from the minute that a PSU who was held off was told", async () => {
    const told = await desk.request();
    const { browser, page } = await desk.arrive(told);
    for (let tried = 0; tried < 4; tried += 1) await browser.post(page, "approve", { code: "12345678" });
    const other = await desk.request();
    const last = await browser.post(await browser.get(pathOf(other)), "approve", { code: "12345678" });
    const [, shown = ""] = /potrvá do (\d{1,2}:\d\d) pražského času/.exec(last.body) ?? [];
    auth.clock.advance(untilShown(shown, auth.clock.now()));
    const again = openBrowser(auth);
    const order = await again.follow(await signInNow(auth, again, await again.get(pathOf(told)), "jana"));
    expect([order.status, headingOf(order)]).to.deep.equal([200, "Schvalujete tuto platbu?"]);
    await again.post(order, "approve", { code: await desk.newestCode() });
    expect(await stateOf(told)).to.equal("approved");
  });

  it("warns that five wrong codes refuse an order or hold off all, and of a refused one that others may wait", async () => {
    const [first, other] = [await desk.request(), await desk.request()];
    const { browser, page } = await desk.arrive(first);
    const otherPage = await browser.get(pathOf(other));
    for (let tried = 0; tried < 2; tried += 1) await browser.post(page, "approve", { code: "12345678" });
    const warned = await browser.post(otherPage, "approve", { code: "12345678" });
    expect(warned.body).to.include(
      "Po pěti chybných kódech příkaz odmítneme nebo na čtvrt hodiny pozastavíme schvalování plateb.",
    );
    for (let tried = 0; tried < 2; tried += 1) await browser.post(otherPage, "approve", { code: "12345678" });
    expect(await stateOf(other)).to.equal("waiting");
    auth.clock.advance(15 * 60_000);
    const again = await desk.arrive(other);
    for (let tried = 0; tried < 2; tried += 1)
      await again.browser.post(again.page, "approve", { code: "12345678" });
    const refused = await again.browser.get(pathOf(other));
    expect(headingOf(refused)).to.equal("Platba byla odmítnuta");
    expect(refused.body)
      .to.include("Schválit ji může být možné až za čtvrt hodiny.")
      .and.not.include("žádnou platbu");
    const next = await desk.request();
    await again.browser.post(await again.browser.get(pathOf(next)), "approve", {
      code: await desk.newestCode(),
    });
    expect(await stateOf(next)).to.equal("approved");
  });

  it("counts no try for an empty code, and ignores spaces, dashes and invisible characters", async () => {
    const told = await desk.request();
    const { browser, page } = await desk.arrive(told);
    for (let tried = 0; tried < 6; tried += 1)
      expect((await browser.post(page, "approve", { code: " " })).status).to.equal(422);
    const code = await desk.newestCode();
    await browser.post(page, "approve", {
      code: `\u200e ${code.slice(0, 4).split("").join(" ")} – ${code.slice(4)}\u2069`,
    });
    expect(await stateOf(told)).to.equal("approved");
  });

  it("says what to do when the order is cancelled, expired or unknown, its TPP blocked or application gone", async () => {
    const cancelled = await desk.request();
    const at = await desk.arrive(cancelled);
    await desk.cancel(cancelled.id);
    const late = await at.browser.follow(await at.browser.post(at.page, "approve", { code: "12345678" }));
    expect(headingOf(late)).to.equal("Příkaz byl zrušen");
    const expired = await desk.request();
    auth.clock.advance(3_600_000);
    expect(headingOf(await openBrowser(auth).get(pathOf(expired)))).to.equal(
      "Čas na schválení příkazu vypršel",
    );
    for (const path of ["/sign/x", `/sign/${"a".repeat(22)}`]) {
      const unknown = await openBrowser(auth).get(path);
      expect([unknown.status, headingOf(unknown)]).to.deep.equal([404, "Takový příkaz neexistuje"]);
      // The order that was meant may have been paid.
      expect(unknown.body).to.not.contain("Nic jsme nezaplatili");
    }
    const told = await desk.request();
    await stopList("", { tpp: tppOfDesk() });
    const blocked = await openBrowser(auth).get(pathOf(told));
    expect(blocked.status).to.equal(403);
    expect(headingOf(blocked)).to.equal("Společnost, která aplikaci provozuje, jsme zablokovali");
    await stopList("/release", { tpp: tppOfDesk() });
    const gone = "UPDATE application SET deleted_at = now() WHERE id = $1";
    await auth.database.run({ name: "gone", text: gone, values: [desk.application.client_id] });
    expect(headingOf(await openBrowser(auth).get(pathOf(told)))).to.equal("Tento příkaz už nelze schválit");
    const back = "UPDATE application SET deleted_at = NULL WHERE id = $1";
    await auth.database.run({ name: "back", text: back, values: [desk.application.client_id] });
  });

  it("says in both languages that nothing is paid when the TPP is blocked (PSD2 Article 68(5))", async () => {
    const told = await desk.request();
    const { browser, page } = await desk.arrive(told);
    const code = await desk.newestCode();
    await stopList("", { tpp: tppOfDesk() });
    try {
      const late = await browser.post(page, "approve", { code });
      expect([late.status, headingOf(late)]).to.deep.equal([
        403,
        "Společnost, která aplikaci provozuje, jsme zablokovali",
      ]);
      expect(late.body)
        .to.include("Příkaz už nelze schválit a\u00a0z\u00a0účtu nic neodejde.")
        .and.not.include("Žádné údaje jsme nepředali")
        .and.not.include("tpp.example");
      expect(await desk.find(told.id)).to.include({ state: "cancelled", because: "consent_ended" });
      const english = await browser.get(`${pathOf(told)}?lang=en`);
      expect(english.body).to.include("The order can no longer be approved, and nothing will be paid.");
    } finally {
      await stopList("/release", { tpp: tppOfDesk() });
    }
  });

  it("is refused when the application has given up payments or the return URL (UI-07)", async () => {
    const set = async (column: string, value: string) => {
      const text = `UPDATE application SET ${column} = $2 WHERE id = $1`;
      const values = [desk.application.client_id, value];
      await auth.database.run({ name: `set-${column}`, text, values });
    };
    for (const [column, given, other] of [
      ["redirect_uris", "{https://tpp.example/callback}", "{https://tpp.example/elsewhere}"],
      ["scopes", "{aisp,pisp}", "{aisp}"],
    ] as const) {
      const told = await desk.request();
      const { browser, page } = await desk.arrive(told);
      const code = await desk.newestCode();
      await set(column, other);
      try {
        const answer = await browser.post(page, "approve", { code });
        expect([answer.status, headingOf(answer)]).to.deep.equal([403, "Tento příkaz už nelze schválit"]);
        expect(answer.body).to.not.include("tpp.example");
        expect(await stateOf(told)).to.equal("waiting");
      } finally {
        await set(column, given);
      }
    }
  });

  it("shows no way back once the TPP is blocked, or the return URL or application is gone (UI-07)", async () => {
    const told = await desk.request();
    const { browser, page } = await desk.arrive(told);
    await browser.post(page, "approve", { code: await desk.newestCode() });
    const set = (column: string, value: string | null) => {
      const text = `UPDATE application SET ${column} = $2 WHERE id = $1`;
      const values = [desk.application.client_id, value];
      return auth.database.run({ name: `set-${column}`, text, values });
    };
    const order = { tpp: tppOfDesk() };
    for (const [end, undo] of [
      [() => stopList("", order), () => stopList("/release", order)],
      [
        () => set("redirect_uris", "{https://tpp.example/elsewhere}"),
        () => set("redirect_uris", "{https://tpp.example/callback}"),
      ],
      [() => set("deleted_at", "2026-01-01T00:00:00Z"), () => set("deleted_at", null)],
    ]) {
      expect((await browser.get(pathOf(told))).body).to.include("https://tpp.example/callback");
      await end?.();
      try {
        const shown = await browser.get(pathOf(told));
        expect([shown.status, headingOf(shown)]).to.deep.equal([200, "Platbu jste schválili"]);
        expect(shown.body).to.not.include("tpp.example");
      } finally {
        await undo?.();
      }
    }
  });

  it("says in both languages that the consent has ended, with the way back, and takes no code (PAY-14)", async () => {
    const own = await openDesk(auth);
    const consent = await consentTo(own);
    const told = await own.request();
    const { browser, page } = await own.arrive(told);
    const code = await own.newestCode();
    await consent.withdraw();
    const late = await browser.follow(await browser.post(page, "approve", { code }));
    expect(headingOf(late)).to.equal("Tento příkaz už nelze schválit");
    expect(late.body).to.include(`href="${backOf(told).replaceAll("&", "&amp;")}"`);
    expect(late.body).to.include("dejte jí nový souhlas");
    const english = await browser.get(`${pathOf(told)}?lang=en`);
    expect(headingOf(english)).to.equal("This order can no longer be approved");
    expect(english.body).to.include("access of this application to payments from your accounts ended");
    expect(english.body).to.include("give it a new consent");
    expect(await own.find(told.id)).to.include({ state: "cancelled", because: "consent_ended" });
    const refused = await own.ask();
    expect([refused.status, JSON.parse(refused.body)]).to.deep.equal([
      400,
      {
        error: "application_unknown",
        error_description:
          "the application may no longer initiate payments for the PSU: their consent has ended or does not cover payments, or the TPP is blocked",
      },
    ]);
  });

  it("says so too, but ends nothing, when only the database's clock has the consent expired", async () => {
    const own = await openDesk(auth);
    const consent = await consentTo(own);
    const told = await own.request();
    const { browser, page } = await own.arrive(told);
    const code = await own.newestCode();
    const { organisationIdentifier } = auth.tpp(own.application.certificate);
    const payer = { organisationIdentifier, clientId: own.application.client_id, psu: "psu-jana" };
    const path = `/payment-consents?${new URLSearchParams(payer)}`;
    await beforeExpiryIsWritten(async () => {
      await consent.expireIn("0");
      const late = await browser.follow(await browser.post(page, "approve", { code }));
      expect([late.status, headingOf(late)]).to.deep.equal([200, "Tento příkaz už nelze schválit"]);
      expect(late.body).to.include(`href="${backOf(told).replaceAll("&", "&amp;")}"`);
      expect((await auth.callAsBank({ path })).body).to.include("false");
      expect((await own.find(told.id)).state).to.equal("waiting");
      await consent.expireIn("1 day");
    });
    await browser.post(await browser.get(pathOf(told)), "approve", { code });
    expect((await own.find(told.id)).state).to.equal("approved");
  });

  it("takes no code for an order of a blocked certificate, and goes on with those of another", async () => {
    const [stolen, good] = ["all-roles", "all-roles-renewed"].map((name) => auth.tpp(name).thumbprint);
    const at = await desk.arrive(await desk.request({ body: { certificate: stolen } }));
    const code = await desk.newestCode();
    await stopList("", { certificate: stolen });
    try {
      const late = await at.browser.follow(await at.browser.post(at.page, "approve", { code }));
      expect(headingOf(late)).to.equal("Příkaz byl zrušen");
      expect(late.body).to.include("Příkaz byl zrušen dříve, než jste se rozhodli");
      expect(late.body, "whoever had the key may have named the address").to.not.include("tpp.example");
      const before = (await desk.messages()).length;
      const after = await openBrowser(auth).get(
        pathOf(await desk.request({ body: { certificate: stolen } })),
      );
      expect(headingOf(after), "not even a sign-in is asked for").to.equal("Příkaz byl zrušen");
      expect(after.body).to.not.include("tpp.example");
      expect((await desk.messages()).length, "no code is sent").to.equal(before);
      const renewed = await desk.request({ body: { certificate: good } });
      const { browser, page } = await desk.arrive(renewed);
      await browser.post(page, "approve", { code: await desk.newestCode() });
      expect(await stateOf(renewed)).to.equal("approved");
    } finally {
      await stopList("/release", { certificate: stolen });
    }
  });

  it("leads nowhere, once the certificate is blocked with which it was sent again, waiting or decided (UI-07)", async () => {
    const [good, stolen] = ["all-roles", "all-roles-renewed"].map((name) => auth.tpp(name).thumbprint);
    const sentTwice = async (paymentId: string) => {
      const body = { paymentId, order: canonicalOrder({ ...DOMESTIC_ORDER, paymentId }) };
      const told = await desk.request({ body: { ...body, certificate: good } });
      await desk.request({ body: { ...body, certificate: stolen, returnUrl: `${BACK}&stolen` } });
      return { told, ...(await desk.arrive(told)) };
    };
    const decided = await sentTwice("P-stolen-1");
    await decided.browser.post(decided.page, "approve", { code: await desk.newestCode() });
    expect((await decided.browser.get(pathOf(decided.told))).body).to.include("&amp;stolen");
    const waiting = await sentTwice("P-stolen-2");
    await stopList("", { certificate: stolen });
    try {
      const refused = await waiting.browser.post(waiting.page, "refuse");
      expect([refused.status, refused.headers.location]).to.deep.equal([303, pathOf(waiting.told)]);
      for (const [{ browser, told }, heading] of [
        [waiting, "Příkaz byl zrušen"],
        [decided, "Platbu jste schválili"],
      ] as const) {
        const { body } = await browser.get(pathOf(told));
        expect(body).to.include(`<h1>${heading}</h1>`).and.to.not.include("tpp.example");
      }
    } finally {
      await stopList("/release", { certificate: stolen });
    }
  });

  it("tells resource whether the consent to payments has ended, and refuses an incomplete question", async () => {
    const own = await openDesk(auth);
    const consent = await consentTo(own);
    const { organisationIdentifier } = auth.tpp(own.application.certificate);
    const payer = { organisationIdentifier, clientId: own.application.client_id, psu: "psu-jana" };
    const ask = async (query: Record<string, string>) => {
      const path = `/payment-consents?${new URLSearchParams(query)}`;
      const { status, body } = await auth.callAsBank({ path });
      return [status, JSON.parse(body).ended];
    };
    expect(await ask(payer)).to.deep.equal([200, false]);
    expect(await ask({ ...payer, psu: "psu-petr" })).to.deep.equal([200, false]);
    await consent.withdraw();
    expect(await ask(payer)).to.deep.equal([200, true]);
    expect((await ask({ psu: "psu-jana" }))[0]).to.equal(400);
  });

  it("names in the code's text the bank of an account without an IBAN (RTS Article 5(1)(a))", async () => {
    const textOf = async (bank: object) => {
      const number = { creditorIban: undefined, creditorNumber: "1234567", creditorName: "Boat Inc." };
      await desk.arrive(await desk.request({ order: { ...number, ...bank } }));
      const [text = ""] = await desk.messages();
      return text;
    };
    const bank = { creditorBank: "Sample “Bank, USABA 021000021" };
    expect(await textOf({ creditorBic: "TESTUS33", ...bank })).to.include(
      "na účet TESTUS33 1234567, příjemce „Boat Inc.“.",
    );
    expect(await textOf(bank)).to.include(
      "na účet 1234567, příjemce „Boat Inc., Sample 'Bank, USABA 021000021“.",
    );
  });

  it("puts the account in the code's text before all that a stranger wrote, which stays in quotes (UI-09)", async () => {
    const account = "CZ65 0800 0000 1920 0014 5399";
    await desk.arrive(await desk.request({ order: { creditorName: "ČEZ“, účet CZ11 2222 „שלום 9" } }));
    const [text = ""] = await desk.messages();
    expect(text).to.include("příjemce „ČEZ', účet CZ11 2222 'שלום 9“.");
    expect(text.indexOf(account)).to.be.within(0, text.indexOf("CZ11"));
    expect(text.indexOf("1\u00a0500,50")).to.be.within(0, text.indexOf("ČEZ"));
  });

  it("writes no code, order or account into the log (LOG-01)", async () => {
    const { browser, page } = await desk.arrive(await desk.request({ order: { message: "neverlogged" } }));
    const code = await desk.newestCode();
    await browser.post(page, "approve", { code });
    const log = JSON.stringify(auth.logLines);
    for (const secret of ["neverlogged", code, code.replace(" ", ""), "CZ6508000000192000145399"])
      expect(log).to.not.include(secret);
  });

  const tppOfDesk = () => auth.tpp(desk.application.certificate).organisationIdentifier;
  async function stopList(path: "" | "/release", whom: object): Promise<void> {
    const body = JSON.stringify({ ...whom, reason: "test" });
    const call = { method: "POST", path: `/operator/stop-list${path}`, headers: JSON_BODY, body };
    const { status } = await auth.callAsBank(call, "operator");
    expect(status).to.be.oneOf([200, 201]);
  }
  async function eventsOf({ id }: ToldSigning): Promise<readonly string[]> {
    const text = "SELECT kind FROM feed_event WHERE key = $1";
    const read = () => auth.database.run<{ kind: string }>({ name: "events", text, values: [id] });
    await eventually(async () => (await read()).length > 0);
    return (await read()).map(({ kind }) => kind);
  }
});

/** Members of the domestic order that a SEPA order does not have. */
const SYMBOLS = { constantSymbol: undefined, variableSymbol: undefined };

/** The approval form of a page, ready to be posted any number of times. */
function formOf(
  page: RawAnswer,
  cookies: ReadonlyMap<string, { readonly name: string; readonly value: string }>,
  code: string,
) {
  const [, path = "", token = ""] =
    /action="([^"]*\/approve)"[\s\S]*?name="token" value="([^"]*)"/.exec(page.body) ?? [];
  const cookie = [...cookies.values()].map(({ name, value }) => `${name}=${value}`).join("; ");
  return { path, body: new URLSearchParams({ token, code }).toString(), headers: { ...FORM_BODY, cookie } };
}
