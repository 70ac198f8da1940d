/** What waits for its PSU's approval ends with a block of the certificate with which it came, or of its TPP (PAY-14). */
import { randomBytes } from "node:crypto";
import { thumbprintOf } from "@cobs/psd2-certificates";
import type { Database } from "@cobs/service-edge";
import { expect } from "chai";
import type { SigningTerms } from "../../packages/auth/src/signing/signing-request.ts";
import { createSigningRequestId } from "../../packages/auth/src/signing/signing-request-id.ts";
import { MAX_ACTIVE_BLOCKS } from "../../packages/auth/src/tpp/stop-list.ts";
import { createStopList } from "../../packages/auth/src/tpp/stop-list-postgres.ts";
import { twoProcesses } from "./auth-database.ts";
import { type Certificates, type Scene, signingScenes } from "./signing-scenes.ts";
import { operatorAct } from "./test-acts.ts";

const RACES = 50;
const JANA = operatorAct("jana");

describe("Order whose TPP or certificate is blocked", function blockedOrders() {
  this.timeout(120_000);
  let databases: readonly [Database, Database];
  before(async () => {
    databases = await twoProcesses();
  });
  after(() => Promise.all(databases.map((database) => database.close())));

  const { signings, run, newPayer, newScene, termsOf, ask, waiting, approve, find, until } = signingScenes(
    () => databases,
  );
  const newThumbprint = () => thumbprintOf(randomBytes(32));

  it("can be requested anew and approved after its TPP was released from the stop list", async () => {
    const scene = await newScene();
    const stopList = createStopList(databases[0]);
    const key = { kind: "organisation", key: scene.owner, by: JANA } as const;
    await stopList.block({ ...key, reason: "by mistake" });
    expect((await ask(termsOf(scene))).result).to.equal("consent_ended");
    await stopList.release(key);
    expect((await approve(await waiting(scene)))?.request.state).to.equal("approved");
  });

  const block = (key: Certificates[number], process: 0 | 1 = 0) =>
    createStopList(databases[process]).block({
      kind: "certificate",
      key,
      by: JANA,
      reason: "its key was stolen",
    });
  const release = (key: Certificates[number]) =>
    createStopList(databases[0]).release({ kind: "certificate", key, by: JANA });

  const recordedEnd = ({ id }: SigningTerms) =>
    run("SELECT details::jsonb FROM audit_entry WHERE subject = $1 AND action = 'signing.cancelled'", [id]);
  /** What is recorded of each, whoever finds that the certificate is blocked (LOG-02). */
  const ofBlocked = ({ paymentId, signId, psu, order }: SigningTerms, scene: Scene) => [
    {
      details: {
        ...{ paymentId, signId, psu, application: scene.applicationId, tpp: scene.owner },
        ...{ digest: order.digest.toString("base64url"), reason: "certificate_blocked" },
      },
    },
  ];

  it("ends with a block of its certificate in either form, and the TPP may ask anew with another one", async () => {
    const [first, twin, other] = [newThumbprint(), newThumbprint(), newThumbprint()];
    const scene = await newScene();
    const ended = [await waiting(scene, [first, twin]), await waiting(scene, [twin])];
    const others = [await waiting(scene, [other]), await waiting(scene)];
    await block(twin);
    for (const terms of ended) {
      expect((await approve(terms))?.request.state).to.equal("cancelled");
      expect(await find(terms)).to.include({ state: "cancelled", because: undefined });
    }
    others.push(await waiting(scene, [other]));
    for (const terms of others) expect((await approve(terms))?.request.state).to.equal("approved");
    for (const terms of ended) expect(await recordedEnd(terms)).to.deep.equal(ofBlocked(terms, scene));
  });

  it("ends at once when its certificate was blocked before it came, also after a release", async () => {
    const [blocked, other] = [newThumbprint(), newThumbprint()];
    const scene = await newScene();
    await block(blocked);
    const [terms, twins] = [await waiting(scene, [blocked]), await waiting(scene, [other, blocked])];
    await release(blocked);
    for (const ended of [terms, twins]) {
      expect(await recordedEnd(ended)).to.deep.equal(ofBlocked(ended, scene));
      expect(await find(ended)).to.include({ state: "cancelled", because: undefined });
      expect((await approve(ended))?.request.state).to.equal("cancelled");
    }
    const after = await waiting(scene, [blocked]);
    expect((await approve(after))?.request.state).to.equal("approved");
  });

  /** Sends an order once more, as the same TPP does with another of its certificates. */
  const askAgain = (terms: SigningTerms, changed: Partial<SigningTerms>, process: 0 | 1 = 0) =>
    ask({ ...terms, id: createSigningRequestId(), ...changed }, process);

  it("ends with a block of any certificate with which it was sent again, and leads nowhere after one", async () => {
    const scene = await newScene();
    const returnUrl = "https://tpp.example/other";
    for (const blocked of [0, 1, 2, 3]) {
      const [first, twin, second, third] = Array.from({ length: 4 }, newThumbprint);
      const sent = [first, twin, second, third].filter((each) => each !== undefined);
      const [terms, decided] = [
        await waiting(scene, sent.slice(0, 2)),
        await waiting(scene, sent.slice(0, 2)),
      ];
      for (const each of [terms, decided]) {
        await askAgain(each, { certificates: sent.slice(2, 3) });
        const again = await askAgain(each, { certificates: sent.slice(3), returnUrl }, 1);
        expect(again).to.have.nested.property("request.state", "waiting");
      }
      expect((await approve(decided))?.request.state).to.equal("approved");
      const isOfBlocked = async () => signings(1).hasBlockedCertificate((await find(decided)) ?? decided);
      expect(await isOfBlocked()).to.equal(false);
      await block(sent[blocked] ?? newThumbprint());
      expect(await find(terms)).to.deep.include({ state: "cancelled", certificates: sent, returnUrl });
      expect(await recordedEnd(terms)).to.deep.equal(ofBlocked(terms, scene));
      expect([await isOfBlocked(), (await find(decided))?.state]).to.deep.equal([true, "approved"]);
    }
  });

  it("ends at once when it is sent again with a certificate that was blocked before", async () => {
    const [scene, good, blocked] = [await newScene(), newThumbprint(), newThumbprint()];
    const terms = await waiting(scene, [good]);
    await block(blocked);
    expect(await askAgain(terms, { certificates: [blocked] })).to.have.nested.property(
      "request.state",
      "cancelled",
    );
    await release(blocked);
    expect((await find(terms))?.state).to.equal("cancelled");
    expect(await recordedEnd(terms)).to.deep.equal(ofBlocked(terms, scene));
  });

  it("waits when many PSUs of one TPP order at once with one certificate that nobody blocks", async () => {
    const [scene, certificate] = [await newScene(), newThumbprint()];
    const payers = await Promise.all(Array.from({ length: 20 }, () => newPayer(scene)));
    const outcomes = await Promise.all(
      payers.map((payer, at) => ask(termsOf(payer, [certificate]), at % 2 ? 1 : 0)),
    );
    const states = outcomes.map((each) => each.result === "created" && each.request.state);
    expect(states).to.deep.equal(Array(20).fill("waiting"));
  });

  it("ends instead of being approved when its certificate is blocked, even if the block did not find it", async () => {
    const [scene, certificate] = [await newScene(), newThumbprint()];
    const terms = await waiting(scene, [certificate]);
    await run(
      `INSERT INTO stop_list_block (kind, key, origin, reason, blocked_by)
      VALUES ('certificate', $1, 'operator', 'its key was stolen', 'jana')`,
      [certificate],
    );
    expect(await approve(terms))
      .to.include({ move: undefined })
      .and.have.nested.property("request.state", "cancelled");
    expect(await find(terms)).to.include({ state: "cancelled", because: undefined });
    expect(await recordedEnd(terms)).to.deep.equal(ofBlocked(terms, scene));
  });

  it("has not ended before it was made, even if the clock was ahead when it was made", async () => {
    const [scene, certificate] = [await newScene(), newThumbprint()];
    const terms = await waiting(scene, [certificate]);
    const ahead = `UPDATE signing_request SET created_at = created_at + interval '1 hour',
      expires_at = expires_at + interval '1 hour' WHERE id = $1 RETURNING created_at AS "decidedAt"`;
    const [made] = await run(ahead, [terms.id]);
    await block(certificate);
    expect(await find(terms)).to.deep.include({ ...made, state: "cancelled" });
  });

  it(`no longer waits after a block of its certificate or TPP, however closely both meet: ${RACES} at once`, async () => {
    const races = Array.from({ length: RACES }, async (_, race) => {
      const [scene, certificate] = [await newScene(), newThumbprint()];
      const terms = termsOf(scene, [certificate]);
      const blocking = () =>
        race % 2
          ? block(certificate, 1)
          : createStopList(databases[1]).block({
              kind: "organisation",
              key: scene.owner,
              by: JANA,
              reason: "fraud",
            });
      const [outcome] = await Promise.all([ask(terms), blocking()]);
      if (outcome.result === "created") expect((await find(terms))?.state).to.equal("cancelled");
      else expect(outcome.result).to.equal("consent_ended");
    });
    await Promise.all(races);
  });

  it(`no longer waits after a block of the certificate with which it is sent again, however closely: ${RACES} at once`, async () => {
    const races = Array.from({ length: RACES }, async (_, race) => {
      const [scene, first, second] = [await newScene(), newThumbprint(), newThumbprint()];
      const terms = await waiting(scene, [first]);
      const changed = race % 3 ? { returnUrl: "https://tpp.example/other" } : {};
      await Promise.all([askAgain(terms, { ...changed, certificates: [second] }), block(second, 1)]);
      expect((await find(terms))?.state).to.equal("cancelled");
    });
    await Promise.all(races);
  });

  it("is found by a block that comes while it is being stored", async () => {
    const [scene, certificate] = [await newScene(), newThumbprint()];
    const terms = termsOf(scene, [certificate]);
    const other = await databases[1].pool.connect();
    try {
      // Whoever keeps the same order waits for this one.
      await other.query("BEGIN");
      await other.query(
        `INSERT INTO signing_request (id, payment_id, sign_id, psu_id, organisation_identifier, application_id,
          certificates, return_url, order_text, created_at, expires_at)
        VALUES ($1, $2, $3, $4, $5, $6, '{}', '', '', now(), now() + interval '1 minute')`,
        [
          createSigningRequestId(),
          terms.paymentId,
          terms.signId,
          terms.psu,
          scene.owner,
          scene.applicationId,
        ],
      );
      const asking = ask(terms);
      await until("INSERT INTO signing_request%");
      const blocking = block(certificate);
      await until("SELECT pg_advisory_xact_lock%", blocking);
      await other.query("ROLLBACK");
      expect((await asking).result).to.equal("created");
      expect((await blocking).result).to.equal("blocked");
      expect((await find(terms))?.state).to.equal("cancelled");
    } finally {
      other.release();
    }
  });

  it("is found by a block that comes while it is being sent again with that certificate", async () => {
    const [scene, first, second] = [await newScene(), newThumbprint(), newThumbprint()];
    const terms = await waiting(scene, [first]);
    const other = await databases[1].pool.connect();
    try {
      // Whoever records the certificate waits for this one.
      await other.query("BEGIN");
      await other.query("LOCK TABLE audit_entry IN SHARE MODE");
      const asking = askAgain(terms, { certificates: [second] });
      await until("INSERT INTO audit_entry%");
      const blocking = block(second);
      await until("SELECT pg_advisory_xact_lock%", blocking);
      await other.query("ROLLBACK");
      expect(await asking).to.have.nested.property("request.state", "waiting");
      expect((await blocking).result).to.equal("blocked");
      expect((await find(terms))?.state).to.equal("cancelled");
    } finally {
      other.release();
    }
  });

  for (const [how, others] of [
    ["", 0],
    [" in a list that is nearly full", MAX_ACTIVE_BLOCKS - 1_000],
  ] as const)
    it(`ends at once when it comes, or comes again, while somebody is blocking its certificate${how}`, async () => {
      const [scene, certificate] = [await newScene(), newThumbprint()];
      await run(
        `INSERT INTO stop_list_block (kind, key, origin, reason, blocked_by)
        SELECT 'organisation', 'PSDCZ-FULL-' || n, 'operator', 'r', 'test' FROM generate_series(1, $1) AS n`,
        [others],
      );
      const sentBefore = await waiting(scene, [newThumbprint()]);
      const feed = await databases[1].pool.connect();
      try {
        // What a block tells is the last of it: it has looked for orders before, and nobody sees it yet.
        await feed.query("BEGIN");
        await feed.query("SELECT FROM feed_head FOR UPDATE");
        const blocking = block(certificate);
        await until("WITH head AS%", blocking);
        const terms = await waiting(scene, [certificate]);
        expect((await find(terms))?.state).to.equal("cancelled");
        await askAgain(sentBefore, { certificates: [certificate] });
        expect((await find(sentBefore))?.state).to.equal("cancelled");
        await feed.query("ROLLBACK");
        expect((await blocking).result).to.equal("blocked");
      } finally {
        feed.release(true);
        await run("DELETE FROM stop_list_block WHERE key LIKE 'PSDCZ-FULL-%'", []);
      }
    });

  it(`is approved or ended, never both, however closely approval and block meet: ${RACES} at once`, async () => {
    const races = Array.from({ length: RACES }, async () => {
      const certificate = newThumbprint();
      const terms = await waiting(await newScene(), [certificate]);
      const [settled] = await Promise.all([approve(terms, 1), block(certificate)]);
      expect(settled?.request.state).to.be.oneOf(["approved", "cancelled"]);
      expect((await find(terms))?.state).to.equal(settled?.request.state);
    });
    await Promise.all(races);
  });
});
