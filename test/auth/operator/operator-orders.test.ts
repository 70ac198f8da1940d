import { createHash } from "node:crypto";
import { expect } from "chai";
import { createFeed } from "../../../packages/auth/src/feed/feed-postgres.ts";
import { type OperatorAnswer, type OperatorScene, openOperatorScene } from "./operator-scene.ts";

describe("An operator's order", function operatorOrders() {
  this.timeout(120_000);
  let scene: OperatorScene;
  before(async () => {
    scene = await openOperatorScene();
  });
  after(() => scene.stop());

  const post = (path: string, body: unknown) => scene.order("POST", path, body);
  const hashOf = (token: string) => createHash("sha256").update(token).digest("base64url");
  const entriesOf = async (subject: string, action: string) =>
    (await scene.order("GET", `/audit?subject=${encodeURIComponent(subject)}&action=${action}`)).json.entries;

  it("ends a consent with its tokens on the bank's behalf, and says when repeated that it had ended", async () => {
    const given = await scene.give(await scene.register());
    const path = `/consents/${given.consentId}/end`;
    const ended = await post(path, { reason: "case 4" });
    expect(ended.status).to.equal(200);
    expect(ended.json).to.include({ result: "ended", state: "revoked" });
    expect(ended.json).to.include({ endedBy: "bank", endReason: "bank_revoked" });
    expect(await scene.isActive(given.accessToken)).to.equal(false);
    expect((await scene.refresh(given)).body).to.include("invalid_grant");
    expect((await post(path, { reason: "again" })).json).to.include({ result: "already_ended" });
    const [entry, ...more] = await entriesOf(given.consentId, "consent.ended");
    expect(more).to.deep.equal([]);
    expect(entry.actor).to.include({ kind: "operator", name: "operator" });
    expect(entry.actor.certificate).to.match(/^[A-Za-z0-9_-]{43}$/);
    expect(entry.requestId).to.equal(ended.requestId);
    expect(entry.details).to.include({ note: "case 4", by: "bank" });
  });

  it("ends a consent on behalf of the PSU, who asked the bank", async () => {
    const given = await scene.give(await scene.register());
    const path = `/consents/${given.consentId}/end`;
    const { json } = await post(path, { reason: "asked at the branch", onBehalfOf: "psu" });
    expect(json).to.include({ endedBy: "psu", endReason: "withdrawn", result: "ended" });
    const [entry] = await entriesOf(given.consentId, "consent.ended");
    expect(entry.actor).to.include({ kind: "operator", name: "operator" });
  });

  it("ends an application with its consents, and nothing of another one", async () => {
    const application = await scene.register();
    const given = await scene.give(application);
    const other = await scene.give(await scene.register());
    const path = `/applications/${application.client_id}/end`;
    expect((await post(path, { reason: "phishing" })).json).to.include({
      result: "ended",
      activeConsents: 0,
    });
    expect(await scene.isActive(given.accessToken)).to.equal(false);
    expect((await scene.refresh(given)).status).to.equal(401);
    expect(await scene.isActive(other.accessToken)).to.equal(true);
    expect((await post(path, { reason: "again" })).json).to.include({ result: "already_ended" });
    const ended = (await scene.order("GET", `/consents/${given.consentId}`)).json;
    expect(ended).to.include({ endedBy: "bank", endReason: "application_deleted" });
    const [entry] = await entriesOf(application.client_id, "application.deleted");
    expect(entry.actor.name).to.equal("operator");
    expect(entry.details.note).to.equal("phishing");
    expect((await post("/applications/unknown/end", { reason: "r" })).status).to.equal(404);
  });

  it("ends the access tokens of a consent, an application or a TPP; refresh tokens give new ones", async () => {
    const application = await scene.register("second-tpp");
    const tpp = scene.auth.tpp("second-tpp").organisationIdentifier;
    for (const holder of ["consent", "application", "tpp"] as const) {
      const given = await scene.give(application);
      const id = { consent: given.consentId, application: application.client_id, tpp }[holder];
      const { status, json } = await post("/tokens/revoke", { [holder]: id, reason: "leaked log" });
      expect([status, json.complete], holder).to.deep.equal([200, true]);
      expect(json.accessTokens, holder).to.be.at.least(1);
      expect(await scene.isActive(given.accessToken), holder).to.equal(false);
      expect((await scene.refresh(given)).status, holder).to.equal(200);
      const [entry] = await entriesOf(id, "token.revoked");
      expect(entry.details, holder).to.include({ note: "leaked log" });
    }
    const nothing = { accessTokens: 0, codes: 0, complete: true };
    const left = await scene.give(application);
    const beyond = { tpp, after: `${"z".repeat(21)}w`, reason: "r" };
    expect((await post("/tokens/revoke", beyond)).json).to.deep.equal(nothing);
    expect(await scene.isActive(left.accessToken)).to.equal(true);
  });

  it("to end tokens gets 404 for an id that never existed, and ends none once the application has ended", async () => {
    const unknown = { consent: "A".repeat(22), application: "nope", tpp: "PSDCZ-CNB-1" };
    for (const [kind, id] of Object.entries(unknown)) {
      const { status, json } = await post("/tokens/revoke", { [kind]: id, reason: "r" });
      expect([status, json.detail], kind).to.deep.equal([404, "nothing has this id"]);
    }
    const { application, consentId } = await scene.give(await scene.register());
    await post(`/applications/${application.client_id}/end`, { reason: "phishing" });
    for (const of of [{ application: application.client_id }, { consent: consentId }]) {
      const { status, json } = await post("/tokens/revoke", { ...of, reason: "r" });
      expect([status, json]).to.deep.equal([200, { accessTokens: 0, codes: 0, complete: true }]);
    }
  });

  it("ends only the token with the given hash or hash prefix, and with a refresh token its consent", async () => {
    const [other, given] = [
      await scene.give(await scene.register()),
      await scene.give(await scene.register()),
    ];
    const feed = createFeed(scene.auth.database);
    const position = await feed.head();
    const { tokens } = (await scene.order("GET", `/tokens?consent=${given.consentId}`)).json;
    const access = tokens.find(({ kind }: { kind: string }) => kind === "access_token");
    expect(hashOf(given.accessToken).startsWith(access.hashPrefix)).to.equal(true);
    const first = await post("/tokens/revoke", { hash: access.hashPrefix, reason: "r" });
    expect(first.json).to.deep.equal({ kind: "access_token", consentId: given.consentId });
    const told = await feed.readAfter({ position, mark: undefined });
    expect(told?.events.map(({ kind, key }) => [kind, key])).to.deep.equal([
      ["token", hashOf(given.accessToken)],
    ]);
    expect(await scene.isActive(other.accessToken)).to.equal(true);
    expect(await scene.isActive(given.accessToken)).to.equal(false);
    const [entry] = await entriesOf(hashOf(given.accessToken), "token.revoked");
    expect(entry.details).to.deep.equal({ kind: "AccessToken", consent: given.consentId, note: "r" });
    expect((await post("/tokens/revoke", { hash: access.hashPrefix, reason: "r" })).status).to.equal(404);
    const refreshed = JSON.parse((await scene.refresh(given)).body).access_token;
    const second = await post("/tokens/revoke", { hash: hashOf(given.refreshToken), reason: "r" });
    expect(second.json).to.deep.equal({ kind: "refresh_token", consentId: given.consentId });
    expect(await scene.isActive(refreshed)).to.equal(false);
    const ended = (await scene.order("GET", `/consents/${given.consentId}`)).json;
    expect(ended).to.include({ state: "revoked", endedBy: "bank" });
  });

  it("ends none of two tokens whose hashes begin alike, and asks for their consent (400)", async () => {
    const given = await scene.give(await scene.register());
    const hash = hashOf(given.accessToken);
    const twin = `INSERT INTO token (kind, id_hash, grant_id, payload, expires_at)
      SELECT kind, set_byte(id_hash, 31, 255 - get_byte(id_hash, 31)), grant_id, payload, expires_at
      FROM token WHERE id_hash = $1`;
    const values = [Buffer.from(hash, "base64url")];
    await scene.auth.database.run({ name: "twin-token", text: twin, values });
    for (const sent of [hash, hash.slice(0, 12)]) {
      const { status, json } = await post("/tokens/revoke", { hash: sent, reason: "r" });
      expect([status, json.detail]).to.deep.equal([
        400,
        "several codes or tokens have a hash that begins with these 12 characters: revoke by consent",
      ]);
    }
    expect(await scene.isActive(given.accessToken)).to.equal(true);
    const { json } = await post("/tokens/revoke", { consent: given.consentId, reason: "r" });
    expect(json).to.include({ accessTokens: 2 });
  });

  it("ends no used code, which opens nothing and still ends its consent when it comes again", async () => {
    const given = await scene.give(await scene.register());
    const { status, json } = await post("/tokens/revoke", { consent: given.consentId, reason: "r" });
    expect([status, json]).to.deep.equal([200, { accessTokens: 1, codes: 0, complete: true }]);
    expect((await post("/tokens/revoke", { hash: hashOf(given.code), reason: "r" })).status).to.equal(404);
    expect((await scene.redeem(given.application, given.code)).status).to.equal(400);
    const ended = (await scene.order("GET", `/consents/${given.consentId}`)).json;
    expect(ended).to.include({ endReason: "code_reused" });
  });

  it("that finds its consent or block as ordered already is recorded as a look at the PSU", async () => {
    const { consentId } = await scene.give(await scene.register());
    const card = { tpp: "PSDCZ-CNB-70000001", account: "account-1" };
    const given = () =>
      post("/card-consents", { psu: "psu-jana", iban: "CZ6508000000192000145399", ...card });
    const cardConsent = (await given()).json.cardConsentId;
    const looks: readonly (readonly [subject: string, order: () => Promise<OperatorAnswer>])[] = [
      [consentId, () => post(`/consents/${consentId}/end`, { reason: "r" })],
      [cardConsent, () => post(`/card-consents/${cardConsent}/end`, { reason: "r" })],
      ["psu-petr", () => post("/psus/psu-petr/block", { reason: "r" })],
    ];
    const again = await given();
    expect(again.json.result).to.equal("already_given");
    const looked = await entriesOf(cardConsent, "operator.read");
    expect(looked.map((entry: { requestId: string }) => entry.requestId)).to.deep.equal([again.requestId]);
    for (const [subject, order] of looks) {
      await order();
      const before = await entriesOf(subject, "operator.read");
      const { requestId, json } = await order();
      expect(json.result, subject).to.match(/^already_/);
      const [entry, ...others] = await entriesOf(subject, "operator.read");
      expect([entry.requestId, others.length], subject).to.deep.equal([requestId, before.length]);
    }
    await post("/psus/psu-petr/release", { reason: "r" });
  });

  it("is refused (400) when malformed, with what is wrong and why", async () => {
    const consent = "/consents/AAAAAAAAAAAAAAAAAAAAAA/end";
    const wrong: readonly (readonly [path: string, body: unknown, detail: string])[] = [
      [consent, {}, "reason must be 1 to 500 printable characters"],
      [consent, { reason: "a\nb" }, "reason must be"],
      [consent, { reason: "\u2800 \u3164\u{e0100}" }, "reason must be"],
      [consent, { reason: "r", onBehalfOf: "me" }, "onBehalfOf must be psu"],
      [consent, { reason: "r", force: true }, "force is not a known member"],
      [consent, [], "the body must be an object"],
      ["/tokens/revoke", { reason: "r" }, "exactly one of consent, application, tpp, hash must be given"],
      ["/tokens/revoke", { reason: "r", consent: "x" }, "consent must be the id of a consent"],
      ["/tokens/revoke", { reason: "r", hash: "abc" }, "hash must be the first 12 characters"],
      ["/applications/a/end", { reason: "" }, "reason must be"],
      ["/psus/psu-petr/release", {}, "reason must be"],
      ["/stop-list/release", { tpp: "PSDCZ-CNB-1" }, "reason must be"],
      ["/stop-list/release", { reason: "r" }, "exactly one of tpp, certificate must be given"],
    ];
    for (const [path, body, detail] of wrong) {
      const { status, json } = await post(path, body);
      expect(status, JSON.stringify(body)).to.equal(400);
      expect(json.detail, JSON.stringify(body)).to.include(detail);
    }
    expect((await post(consent, { reason: "r" })).status).to.equal(404);
    const only = (name: string) => new RegExp(`^${name} must be [^;]*$`);
    const block = { reason: "r", tpp: "x" };
    expect((await post("/stop-list", block)).json.detail).to.match(only("tpp"));
    expect((await post("/tokens/revoke", { reason: "r", consent: "x" })).json.detail).to.match(
      only("consent"),
    );
  });
});
