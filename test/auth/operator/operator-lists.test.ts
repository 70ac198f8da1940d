import { expect } from "chai";
import type { TestApplication } from "../test-application.ts";
import { type Given, type OperatorScene, openOperatorScene } from "./operator-scene.ts";

describe("Lists for operators", function operatorLists() {
  this.timeout(120_000);
  let scene: OperatorScene;
  let first: TestApplication;
  let second: TestApplication;
  let jana: Given;
  let petr: Given;
  let other: Given;
  before(async () => {
    scene = await openOperatorScene();
    first = await scene.register();
    second = await scene.register("second-tpp");
    jana = await scene.give(first);
    petr = await scene.give(first, "petr");
    other = await scene.give(second);
  });
  after(() => scene.stop());

  const tppOf = (certificate: string) => scene.auth.tpp(certificate).organisationIdentifier;
  const get = (path: string) => scene.order("GET", path);
  const idsOf = async (path: string): Promise<readonly string[]> =>
    (await get(path)).json.consents.map(({ consentId }: { consentId: string }) => consentId);

  it("find TPPs by a part of identifier or name, with applications, blocks and certificate data", async () => {
    const identifier = tppOf("second-tpp");
    const found = (await get(`/tpps?search=${identifier.slice(4).toLowerCase()}`)).json.tpps;
    expect(found).to.have.lengthOf(1);
    expect(found[0]).to.include({ organisationIdentifier: identifier, applications: 1, register: null });
    expect(found[0].roles).to.include("PSP_AI");
    const byName = (await get(`/tpps?search=${encodeURIComponent(found[0].organisationName.slice(2, 6))}`))
      .json;
    expect(byName.tpps.map((tpp: (typeof found)[0]) => tpp.organisationIdentifier)).to.include(identifier);
    expect((await get("/tpps?search=nobody-of-this-name")).json).to.deep.equal({ tpps: [], next: null });
    await scene.order("POST", "/stop-list", { tpp: identifier, reason: "fraud" });
    const shown = (await get(`/tpps/${identifier}`)).json;
    expect(shown.blocks).to.have.lengthOf(1);
    expect(shown.blocks[0]).to.include({ reason: "fraud", blockedBy: "operator", origin: "operator" });
    await scene.order("POST", "/stop-list/release", { tpp: identifier, reason: "cleared" });
    expect((await get("/tpps/PSDCZ-CNB-0000")).status).to.equal(404);
  });

  it("find TPPs by a name with non-ASCII letters in any letter case, also in the locale C", async () => {
    const organisationIdentifier = "PSDCZ-CNB-99000099";
    await scene.auth.database.run({
      name: "",
      text: `INSERT INTO tpp (organisation_identifier, organisation_name, authority_id, authority_name, roles)
        VALUES ($1, 'ČESKÁ Účetní s.r.o.', 'CZ-CNB', 'Czech National Bank', '{PSP_AI}')`,
      values: [organisationIdentifier],
    });
    for (const name of ["ČESKÁ Účetní", "česká úč"]) {
      const { tpps } = (await get(`/tpps?search=${encodeURIComponent(name)}`)).json;
      expect(tpps).to.have.lengthOf(1);
      expect(tpps[0]).to.include({ organisationIdentifier });
    }
  });

  it("show the applications of all TPPs or of one", async () => {
    const all = (await get("/applications")).json.applications;
    expect(all.map(({ applicationId }: { applicationId: string }) => applicationId)).to.include.members([
      first.client_id,
      second.client_id,
    ]);
    const own = (await get(`/applications?tpp=${tppOf("second-tpp")}`)).json.applications;
    expect(own).to.have.lengthOf(1);
    expect(own[0]).to.include({
      applicationId: second.client_id,
      securityProfile: "cobs",
      activeConsents: 1,
    });
    expect((await get(`/applications/${first.client_id}`)).json).to.include({ activeConsents: 2 });
    expect((await get("/applications/unknown")).status).to.equal(404);
  });

  it("show consents by PSU, application, TPP, account and state, newest first", async () => {
    expect(await idsOf("/consents?psu=psu-jana")).to.deep.equal([other.consentId, jana.consentId]);
    expect(await idsOf(`/consents?application=${first.client_id}`)).to.deep.equal([
      petr.consentId,
      jana.consentId,
    ]);
    expect(await idsOf(`/consents?tpp=${tppOf("second-tpp")}`)).to.deep.equal([other.consentId]);
    const [account] = (await get(`/consents/${jana.consentId}`)).json.accounts;
    const ofAll = [other.consentId, petr.consentId, jana.consentId];
    expect(await idsOf(`/consents?account=${account}`)).to.deep.equal(ofAll);
    expect(await idsOf(`/consents?account=${account}&psu=psu-petr`)).to.deep.equal([petr.consentId]);
    expect(await idsOf("/consents?account=none")).to.deep.equal([]);
    expect(await idsOf("/consents?psu=psu-petr&state=active")).to.deep.equal([petr.consentId]);
    expect(await idsOf("/consents?state=revoked")).to.deep.equal([]);
    expect(await idsOf("/consents?state=expired")).to.deep.equal([]);
    const shown = (await get(`/consents/${petr.consentId}`)).json;
    expect(shown).to.include({
      psu: "psu-petr",
      state: "active",
      applicationId: first.client_id,
      endedBy: null,
    });
    expect((await get("/consents/AAAAAAAAAAAAAAAAAAAAAA")).status).to.equal(404);
  });

  it("show the tokens of a consent or an application, named by a part of their hash", async () => {
    const { tokens } = (await get(`/tokens?consent=${jana.consentId}`)).json;
    const kinds = tokens.map(({ kind }: { kind: string }) => kind).toSorted();
    expect(kinds).to.include.members(["access_token", "refresh_token"]);
    for (const token of tokens) {
      expect(token).to.include({ consentId: jana.consentId, applicationId: first.client_id });
      expect(token.hashPrefix).to.match(/^[A-Za-z0-9_-]{12}$/);
      expect(Date.parse(token.expiresAt)).to.be.greaterThan(Date.now());
    }
    const ofApplication = (await get(`/tokens?application=${first.client_id}`)).json.tokens;
    expect(ofApplication.length).to.be.at.least(tokens.length + 2);
    expect((await get(`/tokens?consent=AAAAAAAAAAAAAAAAAAAAAA`)).json.tokens).to.deep.equal([]);
  });

  it("are recorded when they are about people, with what was asked for and about whom", async () => {
    const tpp = tppOf("second-tpp");
    const [from, until] = ["2026-01-02T03:04:05.000Z", "2026-01-03T03:04:05.000Z"];
    const looks: readonly (readonly [path: string, subject: string, details: object])[] = [
      [
        `/consents?psu=psu-jana&tpp=${tpp}`,
        "psu psu-jana",
        { what: "consents", psu: "psu-jana", tpp, count: 1 },
      ],
      [
        `/consents?application=${first.client_id}&limit=1`,
        `application ${first.client_id}`,
        { what: "consents", application: first.client_id, count: 1 },
      ],
      [`/consents?tpp=${tpp}`, `tpp ${tpp}`, { what: "consents", tpp, count: 1 }],
      ["/consents?account=none", "consent all", { what: "consents", account: "none", count: 0 }],
      ["/consents?state=expired", "consent all", { what: "consents", state: "expired", count: 0 }],
      [`/consents/${petr.consentId}`, `consent ${petr.consentId}`, { what: "consent", psu: "psu-petr" }],
      [`/card-consents?psu=psu-jana`, "psu psu-jana", { what: "card consents", psu: "psu-jana", count: 0 }],
      [`/card-consents?tpp=${tpp}`, `tpp ${tpp}`, { what: "card consents", tpp, count: 0 }],
      ["/card-consents?state=ended", "card_consent all", { what: "card consents", state: "ended", count: 0 }],
      [
        `/audit?actor=psu-jana&from=${from}&until=${until}`,
        "audit search",
        { what: "audit", actor: "psu-jana", from, until, count: 0 },
      ],
    ];
    for (const [path, subject, details] of looks) {
      const { requestId } = await get(path);
      const [entry, ...others] = (await get(`/audit?request=${requestId}`)).json.entries;
      expect([entry?.action, others], path).to.deep.equal(["operator.read", []]);
      expect(`${entry.subject.kind} ${entry.subject.id}`, path).to.equal(subject);
      expect(entry.details, path).to.deep.equal(details);
    }
    const exported = await get("/audit/export?limit=1");
    const [entry] = (await get(`/audit?request=${exported.requestId}`)).json.entries;
    expect(entry.subject).to.deep.equal({ kind: "audit", id: "export" });
    expect(entry.details).to.deep.equal({ what: "audit", after: null, count: exported.json.lines.length });
  });

  it("come in pages that neither repeat nor leave out a row", async () => {
    const lists = [
      ["/tpps?", "tpps", "organisationIdentifier"],
      ["/applications?", "applications", "applicationId"],
      ["/consents?", "consents", "consentId"],
      [`/tokens?application=${first.client_id}&`, "tokens", "hashPrefix"],
      ["/audit?", "entries", "id"],
    ] as const;
    for (const [path, rows, key] of lists) {
      const before = new Date().toISOString();
      const frozen = rows === "entries" ? `until=${before}&` : "";
      const keysOf = (json: Record<string, Record<string, unknown>[]>) =>
        (json[rows] ?? []).map((row) => row[key]);
      const whole = keysOf((await get(`${path}${frozen}limit=200`)).json);
      const paged: unknown[] = [];
      let next: string | null = null;
      do {
        const after: string = next === null ? "" : `&after=${encodeURIComponent(next)}`;
        const { json } = await get(`${path}${frozen}limit=1${after}`);
        expect(keysOf(json), rows).to.have.lengthOf(1);
        paged.push(...keysOf(json));
        next = json.next;
      } while (next !== null && paged.length < 300);
      expect(paged, rows).to.deep.equal(whole).and.to.have.lengthOf.above(1);
    }
  });

  it("show ended consents by how they ended, and no ended tokens or applications", async () => {
    const tpp = tppOf("second-tpp");
    const application = await scene.register("second-tpp");
    const revoked = await scene.give(application, "petr");
    const path = `/applications/${application.client_id}`;
    expect((await get(`/tpps/${tpp}`)).json.applications).to.equal(2);
    expect((await scene.order("POST", `${path}/end`, { reason: "r" })).status).to.equal(200);
    expect((await get(`/tpps/${tpp}`)).json.applications).to.equal(1);
    const expired = await scene.give(second, "petr");
    const run = (text: string) => scene.auth.database.run({ name: "", text, values: [expired.consentId] });
    await run("UPDATE token SET expires_at = now() WHERE grant_id = $1");
    expect((await get(`/tokens?consent=${expired.consentId}`)).json.tokens).to.deep.equal([]);
    await run(`UPDATE consent SET valid_until = now(), ended_at = now(), ended_by = 'server', end_reason = 'expired'
      WHERE id = $1`);
    await run("UPDATE token SET expires_at = now() + interval '1 hour' WHERE grant_id = $1");
    expect((await get(`/tokens?consent=${expired.consentId}`)).json.tokens, "of an end").to.deep.equal([]);
    expect((await get(`/applications/${second.client_id}`)).json).to.include({ activeConsents: 1 });
    const inState = (state: string) => idsOf(`/consents?tpp=${tpp}&state=${state}`);
    expect(await inState("active")).to.deep.equal([other.consentId]);
    expect(await inState("expired")).to.deep.equal([expired.consentId]);
    expect(await inState("revoked")).to.deep.equal([revoked.consentId]);
    const shown = (await get(`/consents/${expired.consentId}`)).json;
    expect(shown).to.include({ state: "expired", endedBy: null, endReason: "expired" });
    expect(shown.endedAt).to.equal(shown.validUntil);
  });

  it("are refused for wrong parameters (400), with each of them and why", async () => {
    const wrong: readonly (readonly [path: string, detail: string])[] = [
      ["/consents?psu=a%20b", "psu must be 1 to 64 letters, digits, _ and -"],
      ["/consents?account=CZ65%200800", "account must be 1 to 64 letters, digits, _ and -"],
      ["/consents?state=ended", "state must be one of active, expired, revoked"],
      ["/consents?limit=201", "limit must be a whole number from 1 to 200"],
      ["/consents?limit=0&tpp=x", "tpp must be of the form PSDcc-AUTHORITY-number; limit must be"],
      ["/consents?after=AAAAAAAAAAAAAAAAAAAAAA", "after must be the `next` of the previous answer"],
      ["/consents?psu=a&psu=b", "psu may be given only once"],
      ["/consents?user=a", "user is not a known parameter"],
      ["/applications?after=unknown", "after must be the `next` of the previous answer"],
      ["/tokens", "exactly one of consent, application must be given"],
      ["/tokens?application=a&after=b", "after must be the `next` of the previous answer"],
      ["/tpps?search=%0A", "search must be 1 to 500 printable characters"],
      ["/stop-list?after=x", "after must be a whole number"],
      ["/audit?from=yesterday", "from must be a time such as"],
      ["/audit?until=2026-02-30T00:00:00Z", "until must be a time such as"],
      ["/audit?after=0000-01-01T00:00:00.000000Z.1", "after must be the `next` of the previous answer"],
      ["/audit?action=DROP", "action must be an action such as"],
      ["/audit/check?sequence=1", "sequence and hash must be given together"],
      ["/audit/check?after=1&limit=1", "after must be the `next` of the previous answer"],
      [`/audit/check?after=1.${"0".repeat(64)}`, "after requires limit"],
      ["/audit/check?limit=10001", "limit must be a whole number from 1 to 10000"],
      ["/audit/export?after=999999", "after must be the number of an existing entry"],
      ["/tpps/PSD", "tpp must be of the form"],
      ["/consents/short", "consent must be the id of a consent"],
    ];
    for (const [path, detail] of wrong) {
      const { status, json } = await get(path);
      expect(status, path).to.equal(400);
      expect(json.detail, path).to.include(detail);
    }
  });
});
