import { expect } from "chai";
import { type OperatorAnswer, type OperatorScene, openOperatorScene } from "./operator/operator-scene.ts";
import { openBrowser, type PsuBrowser, signIn, statusOf } from "./psu-browser.ts";

const MINUTE = 60_000;
const IBAN = "CZ6508000000192000145399";
const TPP = "PSDCZ-CNB-70000001";
const CONSENTS = "/card-consents";

describe("Consents to card issuers at the authorization server", function cardConsents() {
  this.timeout(120_000);
  let scene: OperatorScene;
  let browser: PsuBrowser;
  let tpps = 0;
  before(async () => {
    scene = await openOperatorScene();
  });
  beforeEach(() => {
    scene.auth.clock.advance(61 * MINUTE);
    browser = openBrowser(scene.auth);
  });
  after(() => scene.stop());

  function orderFor(changed: object = {}) {
    tpps += 1;
    return { psu: "psu-jana", tpp: `${TPP}${tpps}`, account: "account-1", iban: IBAN, ...changed };
  }
  const end = (id: string, body: object = { reason: "asked for" }): Promise<OperatorAnswer> =>
    scene.order("POST", `${CONSENTS}/${id}/end`, body);
  const give = (changed?: object): Promise<OperatorAnswer> =>
    scene.order("POST", CONSENTS, orderFor(changed));

  async function lookUp(organisationIdentifier: string, iban = IBAN) {
    const query = new URLSearchParams({ organisationIdentifier, iban });
    const answer = await scene.auth.callAsBank({ path: `/card-consents?${query}` });
    return { ...answer, json: JSON.parse(answer.body) };
  }

  /** Signs in at the page, in English. */
  async function open(username = "jana") {
    const first = await browser.get("/consents?lang=en");
    await signIn(scene.auth, browser, first, username);
    return browser.get("/consents");
  }

  it("are given once for an account of the PSU, and can be looked up by the resource server", async () => {
    const order = orderFor();
    const given = await scene.order("POST", CONSENTS, order);
    expect([given.status, given.json.result]).to.deep.equal([201, "given"]);
    const again = await scene.order("POST", CONSENTS, order);
    expect([again.status, again.json.result]).to.deep.equal([200, "already_given"]);
    expect(again.json.cardConsentId).to.equal(given.json.cardConsentId);
    const found = await lookUp(order.tpp);
    expect(found.headers["feed-position"]).to.match(/^\d+$/);
    expect(found.json).to.deep.equal({
      consent: { id: given.json.cardConsentId, psu: "psu-jana", accountId: "account-1" },
    });
    expect((await lookUp("PSDCZ-CNB-1")).json).to.deep.equal({ consent: null });
  });

  it("are refused for another account with the same IBAN until the first one has ended (409)", async () => {
    const order = orderFor();
    const { cardConsentId } = (await scene.order("POST", CONSENTS, order)).json;
    const other = { ...order, account: "account-2" };
    const refused = await scene.order("POST", CONSENTS, other);
    expect([refused.status, refused.json.title]).to.deep.equal([
      409,
      "The consent in force is for another account",
    ]);
    expect(refused.json.detail).to.include(`consent ${cardConsentId}`).and.include("end that consent first");
    const { entries } = (await scene.order("GET", "/audit?action=operator.read&limit=1")).json;
    expect(entries[0].subject, "that it was told of is recorded").to.include({ id: cardConsentId });
    await end(cardConsentId);
    expect((await scene.order("POST", CONSENTS, other)).json).to.include({
      result: "given",
      accountId: "account-2",
    });
  });

  it("are refused for an unknown account or IBAN, and while the accounts cannot be read", async () => {
    expect((await give({ account: "account-9" })).status).to.equal(404);
    expect((await give({ iban: "CZ5508000000001234567899" })).status).to.equal(404);
    const malformed = await give({ iban: "CZ00", psu: "a b", colour: "red" });
    expect(malformed.status).to.equal(400);
    for (const words of ["iban must be an IBAN", "psu must be", "colour is not a known member"])
      expect(malformed.json.detail).to.include(words);
    const { answer } = scene.auth.accounts;
    scene.auth.accounts.answer = { status: 503, body: "" };
    try {
      expect((await give()).status).to.equal(503);
    } finally {
      scene.auth.accounts.answer = answer;
    }
  });

  it("are refused for a blocked PSU", async () => {
    await scene.order("POST", "/psus/psu-petr/block", { reason: "fraud" });
    const refused = await give({ psu: "psu-petr" });
    expect([refused.status, refused.json.title]).to.deep.equal([409, "The PSU is blocked"]);
    await scene.order("POST", "/psus/psu-petr/release", { reason: "cleared" });
  });

  it("are ended once by the bank, on its own behalf or on the PSU's", async () => {
    const { cardConsentId, organisationIdentifier } = (await give()).json;
    const ended = await end(cardConsentId, { onBehalfOf: "psu", reason: "asked by telephone" });
    expect(ended.json).to.include({ result: "ended", endedBy: "psu", endReason: "withdrawn" });
    expect((await end(cardConsentId)).json).to.include({ result: "already_ended" });
    expect((await lookUp(organisationIdentifier)).json).to.deep.equal({ consent: null });
    const { entries } = (await scene.order("GET", "/audit?action=card_consent.ended")).json;
    expect(entries[0].actor).to.include({ kind: "operator", name: "operator" });
    expect(JSON.stringify(entries[0])).to.include("asked by telephone").and.not.include(IBAN);
    expect((await end("A".repeat(22))).status).to.equal(404);
    expect((await end(cardConsentId, { reason: "r", by: "me" })).status).to.equal(400);
    expect((await end(cardConsentId, {})).json.detail).to.equal(
      "reason must be 1 to 500 printable characters",
    );
    const other = (await give()).json.cardConsentId;
    expect((await end(other)).json).to.include({
      result: "ended",
      endedBy: "bank",
      endReason: "bank_revoked",
    });
  });

  it("are looked up together for two holders of one account, and the other stays when one ends", async () => {
    const order = orderFor();
    const first = (await scene.order("POST", CONSENTS, order)).json;
    const second = (await scene.order("POST", CONSENTS, { ...order, psu: "psu-petr" })).json;
    const one = { id: first.cardConsentId, psu: "psu-jana", accountId: "account-1" };
    const other = { id: second.cardConsentId, psu: "psu-petr", accountId: "account-1" };
    const told = await lookUp(order.tpp);
    expect([told.json.consent, ...told.json.others]).to.have.deep.members([one, other]);
    await end(first.cardConsentId);
    expect((await lookUp(order.tpp)).json).to.deep.equal({ consent: other });
  });

  it("are listed by PSU, TPP and state, and the listing is recorded", async () => {
    const { cardConsentId, organisationIdentifier } = (await give()).json;
    const list = async (query: string) =>
      (await scene.order("GET", `${CONSENTS}?${query}`)).json.cardConsents.map(
        (each: { readonly cardConsentId: string }) => each.cardConsentId,
      );
    expect(await list(`tpp=${organisationIdentifier}`)).to.deep.equal([cardConsentId]);
    expect(await list(`tpp=${organisationIdentifier}&state=ended`)).to.deep.equal([]);
    await end(cardConsentId);
    scene.auth.clock.advance(1_000);
    const next = (await give({ tpp: organisationIdentifier })).json.cardConsentId;
    expect(await list(`tpp=${organisationIdentifier}`)).to.deep.equal([next, cardConsentId]);
    expect(await list(`tpp=${organisationIdentifier}&state=ended`)).to.deep.equal([cardConsentId]);
    expect(await list(`tpp=${organisationIdentifier}&state=active`)).to.deep.equal([next]);
    expect(await list("psu=psu-nobody")).to.deep.equal([]);
    const { entries } = (await scene.order("GET", "/audit?action=operator.read&limit=1")).json;
    expect(JSON.stringify(entries)).to.include("card consents").and.include("psu-nobody");
  });

  it("are looked up only with the right to do so, by one TPP and one IBAN", async () => {
    for (const caller of ["operator", "auth"] as const) {
      const answer = await scene.auth.callAsBank({ path: `/card-consents?iban=${IBAN}` }, caller);
      expect(answer.status, caller).to.equal(403);
    }
    for (const query of ["", `iban=${IBAN}`, `iban=CZ00&organisationIdentifier=${TPP}`]) {
      const { status, body } = await scene.auth.callAsBank({ path: `/card-consents?${query}` });
      expect([status, JSON.parse(body).error_description], query).to.deep.equal([
        400,
        "exactly one valid organisationIdentifier and one valid iban must be given",
      ]);
    }
    expect(JSON.stringify(scene.auth.logLines)).not.to.include(IBAN);
  });

  it("are on the PSU's page and are withdrawn there after one question, once for 50 parallel posts", async () => {
    const { cardConsentId, organisationIdentifier } = (await give({ tppName: "Karty <b>& úvěry</b>" })).json;
    const page = await open();
    const card = page.body.split("<article").find((part) => part.includes(cardConsentId)) ?? "";
    for (const told of ["Karty &lt;b&gt;&amp; úvěry", organisationIdentifier, "CZ65 0800", "Since"])
      expect(card).to.include(told);
    const question = await browser.get(`/consents?card=${cardConsentId}`);
    expect(question.body).to.include("Withdraw access for Karty").and.include("it will learn nothing");
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => browser.post(question, "withdraw-card")),
    );
    expect(new Set(answers.map(({ status, headers }) => `${status} ${headers.location}`))).to.deep.equal(
      new Set(["303 /consents"]),
    );
    expect((await lookUp(organisationIdentifier)).json).to.deep.equal({ consent: null });
    expect((await browser.get("/consents")).body).to.include("Withdrawn by you.");
    expect((await browser.get(`/consents?card=${cardConsentId}`)).headers.location).to.equal("/consents");
    const text = "SELECT pos FROM feed_event WHERE kind = 'card_consent' AND key = $1";
    const values = [cardConsentId];
    expect(await scene.auth.database.run({ name: "told", text, values })).to.have.length(1);
  });

  it("are listed ten to a page, so that the PSU can withdraw even the oldest", async () => {
    const order = { tppName: "Karty", psu: "psu-petr" };
    for (let turn = 0; turn < 23; turn += 1) {
      scene.auth.clock.advance(1_000);
      const { cardConsentId } = (await give(order)).json;
      if (turn < 12) await end(cardConsentId);
    }
    const idsOf = async (state: string) =>
      (await scene.order("GET", `${CONSENTS}?psu=psu-petr&state=${state}`)).json.cardConsents.map(
        (each: { readonly cardConsentId: string }) => each.cardConsentId,
      );
    const [given, ended] = [await idsOf("active"), await idsOf("ended")];
    const first = await open("petr");
    const linkIn = (body: string, list: string) =>
      new RegExp(`href="([^"]*[?;&]${list}=2[^"]*)"`).exec(body)?.[1]?.replaceAll("&amp;", "&") ?? "";
    const shownOn = (body: string) => [...body.matchAll(/\?card=([\w-]{22})"/g)].map((link) => link[1]);
    const endedOn = (body: string) => body.split('id="cards-over"')[1]?.match(/<li><bdi/g)?.length;
    expect(shownOn(first.body)).to.deep.equal(given.slice(0, 10));
    const second = await browser.get(linkIn(first.body, "cards"));
    expect(shownOn(second.body)).to.deep.equal(given.slice(10));
    expect([endedOn(first.body), endedOn(second.body)]).to.deep.equal([10, 10]);
    const both = await browser.get(linkIn(second.body, "earlier-cards"));
    expect(shownOn(both.body), "the other list stays where it was").to.deep.equal(given.slice(10));
    expect(endedOn(both.body)).to.equal(ended.length - 10);
  });

  it("are called ended, not their company, which may have a new one", async () => {
    const order = orderFor({ tppName: "Karty" });
    const { cardConsentId } = (await scene.order("POST", CONSENTS, order)).json;
    await end(cardConsentId);
    expect((await scene.order("POST", CONSENTS, order)).json).to.include({ result: "given" });
    const headingIn = ({ body }: { readonly body: string }) =>
      /<h2 id="cards-over">(.*)<\/h2>/.exec(body)?.[1];
    expect(headingIn(await open())).to.equal("Consents to card issuers that have ended");
    expect(headingIn(await browser.get("/consents?lang=cs"))).to.equal(
      "Souhlasy vydavatelům karet, které skončily",
    );
  });

  it("are reported as ended once after withdrawal, with company and account", async () => {
    const words = {
      en: "The consent that you gave Karty for the account CZ65 0800 0000 1920 0014 5399 has ended.",
      cs: "Souhlas, který jste dali společnosti Karty pro účet CZ65 0800 0000 1920 0014 5399, skončil.",
    };
    await open();
    for (const [language, told] of Object.entries(words)) {
      const { cardConsentId } = (await give({ tppName: "Karty" })).json;
      const question = await browser.get(`/consents?card=${cardConsentId}&lang=${language}`);
      expect(statusOf(await browser.get("/consents"))).to.equal(undefined);
      const after = await browser.follow(await browser.post(question, "withdraw-card"));
      expect(statusOf(after)).to.equal(told);
      expect(statusOf(await browser.get("/consents"))).to.equal(undefined);
    }
  });

  it("have a remark on the page while their company is on the stop list", async () => {
    const { organisationIdentifier } = (await give()).json;
    await scene.order("POST", "/stop-list", { tpp: organisationIdentifier, reason: "fraud" });
    const remarkOn = ({ body }: { readonly body: string }) =>
      body
        .split("<article")
        .find((part) => part.includes(organisationIdentifier))
        ?.includes("We have blocked this company");
    expect(remarkOn(await open())).to.equal(true);
    await scene.order("POST", "/stop-list/release", { tpp: organisationIdentifier, reason: "cleared" });
    expect(remarkOn(await browser.get("/consents"))).to.equal(false);
  });

  it("are unknown and not withdrawn when they are another PSU's or made up (UI-12)", async () => {
    const strangers = (await give({ psu: "psu-petr" })).json;
    const own = (await give()).json;
    await open();
    for (const id of [strangers.cardConsentId, "A".repeat(22), "../x"]) {
      expect((await browser.get(`/consents?card=${encodeURIComponent(id)}`)).status).to.equal(404);
      const question = await browser.get(`/consents?card=${own.cardConsentId}`);
      expect((await browser.post(question, "withdraw-card", { consent: id })).status).to.equal(404);
    }
    expect((await lookUp(strangers.organisationIdentifier)).json.consent.psu).to.equal("psu-petr");
  });

  it("are not withdrawn by a form of another session or with a made-up token (UI-01)", async () => {
    const { cardConsentId, organisationIdentifier } = (await give()).json;
    await open();
    const question = await browser.get(`/consents?card=${cardConsentId}`);
    expect((await browser.post(question, "withdraw-card", { token: "made up" })).status).to.equal(403);
    browser = openBrowser(scene.auth);
    await open();
    expect((await browser.post(question, "withdraw-card")).status).to.equal(403);
    expect((await lookUp(organisationIdentifier)).json.consent).not.to.equal(null);
  });
});
