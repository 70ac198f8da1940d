/** What waits for its PSU's approval ends with the consent that it hangs on, and never after it (PAY-14, PSD2 Article 80(2)). */
import { randomUUID } from "node:crypto";
import { parsePsuId, type Scope } from "@cobs/cobs-model";
import { type Database, systemClock } from "@cobs/service-edge";
import { expect } from "chai";
import { endRevived } from "../../packages/auth/src/after-restore/end-revived-postgres.ts";
import { createApplicationStore } from "../../packages/auth/src/applications/application-postgres.ts";
import { endConsentsOfApplication } from "../../packages/auth/src/consent/end-consents-postgres.ts";
import { expireConsents } from "../../packages/auth/src/consent/expire-consents-postgres.ts";
import { createEphemeralEpochs } from "../../packages/auth/src/ephemeral/ephemeral-epoch-postgres.ts";
import { createFeed } from "../../packages/auth/src/feed/feed-postgres.ts";
import { createPsuBlocks } from "../../packages/auth/src/psu-block/psu-blocks-postgres.ts";
import { holdPaymentConsent } from "../../packages/auth/src/signing/payment-consent-postgres.ts";
import type { SigningTerms } from "../../packages/auth/src/signing/signing-request.ts";
import { createStopList } from "../../packages/auth/src/tpp/stop-list-postgres.ts";
import { twoProcesses } from "./auth-database.ts";
import { consentTo } from "./sample-consent.ts";
import { type Scene, SERVER, signingScenes } from "./signing-scenes.ts";
import { operatorAct, psuAct, tppAct } from "./test-acts.ts";

const RACES = 50;
const JANA = operatorAct("jana");
const WITHDRAWN = { by: "psu", reason: "withdrawn", act: psuAct() } as const;

describe("Order that waits for its PSU's approval", function signingEndings() {
  this.timeout(120_000);
  let databases: readonly [Database, Database];
  before(async () => {
    databases = await twoProcesses();
  });
  after(() => Promise.all(databases.map((database) => database.close())));

  const { signings, consents, run, give, newPayer, newScene, termsOf, ask, waiting, approve, find, until } =
    signingScenes(() => databases);
  const applications = () => createApplicationStore(databases[0], endConsentsOfApplication);
  async function endOf(terms: SigningTerms): Promise<unknown> {
    const request = await find(terms);
    return request?.state === "cancelled" ? request.because : request?.state;
  }
  async function toldAfter(position: number): Promise<readonly string[]> {
    const batch = await createFeed(databases[1]).readAfter({ position, mark: undefined });
    return (batch?.events ?? []).map(({ kind, key }) => `${kind} ${key}`);
  }
  const head = () => createFeed(databases[0]).head();

  const ENDINGS: Readonly<Record<string, (scene: Scene) => Promise<unknown>>> = {
    "its PSU withdraws the consent": ({ consent }) => consents().end(consent, WITHDRAWN),
    "the consent expires": async ({ consent }) => {
      await run("UPDATE consent SET valid_until = now() WHERE id = $1", [consent]);
      await expireConsents(databases[0], SERVER);
    },
    "its PSU is blocked": ({ psu }) =>
      createPsuBlocks(databases[0], systemClock).block({ psu, reason: "fraud" }, JANA),
    "its TPP comes on the stop list": ({ owner }) =>
      createStopList(databases[0]).block({ kind: "organisation", key: owner, by: JANA, reason: "fraud" }),
    "the application is deleted": ({ applicationId, owner }) =>
      applications().remove({ id: applicationId, owner }, SERVER, () => {}),
    "the application gives payments up": ({ applicationId, owner }) =>
      applications().replace({ id: applicationId, owner }, SERVER, (current) => ({
        ...current,
        scopes: ["aisp"],
      })),
    "a newer consent allows no payments": (scene) => give({ ...scene, services: ["aisp"] }),
  };
  for (const [when, end] of Object.entries(ENDINGS)) {
    it(`ends when ${when}, and can neither be approved nor requested anew (PAY-14)`, async () => {
      const scene = await newScene();
      const terms = await waiting(scene);
      await end(scene);
      expect(await endOf(terms)).to.equal("consent_ended");
      expect((await approve(terms))?.request.state).to.equal("cancelled");
      expect((await ask(termsOf(scene))).result).to.equal("consent_ended");
      expect((await ask(terms)).result, "the same once more").to.equal("consent_ended");
      const payer = { ...scene, organisationIdentifier: scene.owner };
      expect(await signings().findConsentEnd(payer)).to.equal("ended");
    });
  }

  it("ends with each consent that its TPP ends at one moment, as the act of that call", async () => {
    const scene = await newScene();
    const payers = [scene, await newPayer(scene), await newPayer(scene, ["aisp"])];
    const orders = await Promise.all([waiting(payers[0] ?? scene), waiting(payers[1] ?? scene)]);
    const position = await head();
    const requestIdOf = (payer: Scene | undefined) => `end of ${payer?.consent}`;
    const store = consents();
    const ends = await Promise.all(
      payers.map((payer) => {
        const act = { ...tppAct(scene.owner), requestId: requestIdOf(payer) };
        return store.end(payer.consent, { by: "tpp", reason: "refresh_token_revoked", act });
      }),
    );
    expect(ends).to.deep.equal([true, true, true]);
    for (const [nth, terms] of orders.entries()) {
      expect(await endOf(terms)).to.equal("consent_ended");
      const find = `SELECT request_id FROM audit_entry
        WHERE action = 'signing.cancelled' AND details::json ->> 'paymentId' = $1`;
      expect(await run(find, [terms.paymentId])).to.deep.equal([{ request_id: requestIdOf(payers[nth]) }]);
    }
    expect(await toldAfter(position)).to.have.members([
      ...payers.map(({ consent }) => `consent ${consent}`),
      ...payers.slice(0, 2).map(({ applicationId, psu }) => `payment_consent ${applicationId} ${psu}`),
    ]);
  });

  it("holds up no other consent that its TPP ends at the same moment", async () => {
    const scene = await newScene();
    const others = [await newPayer(scene), await newPayer(scene, ["aisp"])];
    const { id } = await waiting(scene);
    const store = consents();
    const end = ({ consent }: Scene) =>
      store.end(consent, { by: "tpp", reason: "refresh_token_revoked", act: tppAct(scene.owner) });
    const seen = await databases[1].transaction(async (queries) => {
      const text = "SELECT FROM signing_request WHERE id = $1 FOR UPDATE";
      await queries.run({ name: "hold", text, values: [id] });
      const waits = end(scene);
      waits.catch(() => {});
      return { waits, others: await Promise.all(others.map(end)) };
    });
    expect(seen.others).to.deep.equal([true, true]);
    expect(await seen.waits).to.equal(true);
  });

  it("ends after a restore, even without a consent, because nobody knows what had ended", async () => {
    const [scene, other] = [await newScene(), await newScene()];
    const orders = [await waiting(scene), await waiting(other)];
    await run("DELETE FROM consent WHERE id = $1", [other.consent]);
    const epoch = await createEphemeralEpochs(databases[0]).current();
    await endRevived(databases[0], JANA);
    for (const terms of orders) expect(await endOf(terms)).to.equal("consent_ended");
    expect(await createEphemeralEpochs(databases[1]).current()).not.to.equal(epoch);
  });

  it("stays when a consent has expired and a newer one to payments records that, and can be approved", async () => {
    const scene = await newScene();
    await run("UPDATE consent SET valid_until = now() WHERE id = $1", [scene.consent]);
    await give({ ...scene, services: ["pisp"] });
    const terms = await waiting(scene);
    expect(await expireConsents(databases[0], SERVER)).to.equal(0);
    expect(await endOf(terms)).to.equal("waiting");
    expect((await approve(terms))?.request.state).to.equal("approved");
  });

  /** Writes a newer consent beside one that stays without an end, as processes of former releases have left them. */
  async function addNewer({ applicationId, consent }: Scene, services: readonly Scope[]) {
    const { id } = consentTo(applicationId);
    await run(
      `INSERT INTO consent (id, application_id, psu_id, organisation_identifier, services, account_ids, approval_hash,
        authenticated_at, given_at, valid_until, version)
      SELECT $1, application_id, psu_id, organisation_identifier, $3, account_ids, '\\x00'::bytea || approval_hash,
        authenticated_at, given_at, valid_until, version + 1 FROM consent WHERE id = $2`,
      [id, consent, services],
    );
    return id;
  }

  it("ends when the end of a consent is recorded late, after a newer consent without payments", async () => {
    const scene = await newScene();
    const terms = await waiting(scene);
    await addNewer(scene, ["aisp"]);
    expect(await endOf(terms)).to.equal("waiting");
    await run("UPDATE consent SET valid_until = now() WHERE id = $1", [scene.consent]);
    await expireConsents(databases[0], SERVER);
    expect(await endOf(terms)).to.equal("consent_ended");
  });

  it("is announced to resource by one event of its application and PSU, which stands for all of their orders", async () => {
    const scene = await newScene();
    await Promise.all([waiting(scene), waiting(scene)]);
    const before = await head();
    await consents().end(scene.consent, WITHDRAWN);
    const { consent, applicationId, psu } = scene;
    expect(await toldAfter(before)).to.deep.equal([
      `consent ${consent}`,
      `payment_consent ${applicationId} ${psu}`,
    ]);
  });

  it("stays, with no event, when a newer consent also allows payments", async () => {
    const scene = await newScene();
    const terms = await waiting(scene);
    const before = await head();
    await give({ ...scene, services: ["aisp", "pisp"] });
    expect(await toldAfter(before)).to.deep.equal([`consent ${scene.consent}`]);
    expect(await endOf(terms)).to.equal("waiting");
    expect((await approve(terms))?.request.state).to.equal("approved");
  });

  it("stays when a consent without payments ends, or that of somebody else", async () => {
    const [scene, other] = [await newScene(), await newScene()];
    const terms = await waiting(scene);
    await consents().end(other.consent, WITHDRAWN);
    expect(await endOf(terms)).to.equal("waiting");
  });

  it("ends with a consent to accounts and payments when the application gives up accounts", async () => {
    const scene = await newScene(["aisp", "pisp"]);
    const terms = await waiting(scene);
    const { applicationId: id, owner } = scene;
    await applications().replace({ id, owner }, SERVER, (current) => ({ ...current, scopes: ["pisp"] }));
    expect(await endOf(terms)).to.equal("consent_ended");
  });

  it("stays, with a consent to payments alone, when the application gives up accounts", async () => {
    const scene = await newScene();
    const terms = await waiting(scene);
    const { applicationId: id, owner } = scene;
    await applications().replace({ id, owner }, SERVER, (current) => ({ ...current, scopes: ["pisp"] }));
    expect(await endOf(terms)).to.equal("waiting");
    expect(await consents().findActive(scene.consent)).to.include({ state: "active" });
    expect((await approve(terms))?.request.state).to.equal("approved");
  });

  it("stays approved when the consent is withdrawn after it (PSD2 Article 80(2))", async () => {
    const scene = await newScene();
    const terms = await waiting(scene);
    await approve(terms);
    await consents().end(scene.consent, WITHDRAWN);
    expect(await endOf(terms)).to.equal("approved");
  });

  it("cannot be approved once its consent's time is over, but can if only the clock was ahead", async () => {
    const scene = await newScene();
    const terms = await waiting(scene);
    const payer = { ...scene, organisationIdentifier: scene.owner };
    const expire = "UPDATE consent SET valid_until = now() + $2::interval WHERE id = $1";
    await run(expire, [scene.consent, "0"]);
    expect(await approve(terms)).to.include({ move: undefined });
    expect(await endOf(terms)).to.equal("waiting");
    expect((await ask(termsOf(scene))).result).to.equal("consent_ended");
    expect(await signings().findConsentEnd(payer)).to.equal("expired");
    await run(expire, [scene.consent, "1 minute"]);
    expect(await signings().findConsentEnd(payer)).to.equal(undefined);
    expect((await approve(terms))?.request.state).to.equal("approved");
  });

  it("ends instead of being approved when what ended its consent did not end it (RTS Article 5)", async () => {
    const scene = await newScene();
    const terms = await waiting(scene);
    await run(
      `INSERT INTO stop_list_block (key, kind, origin, reason, blocked_by)
        VALUES ($1, 'organisation', 'operator', 'licence withdrawn', 'jana')`,
      [scene.owner],
    );
    expect(await approve(terms)).to.include({ move: undefined });
    expect(await endOf(terms)).to.equal("consent_ended");
  });

  it("waits when a consent ends while another is kept that has expired only by the database's clock", async () => {
    const scene = await newScene();
    const terms = await waiting(scene);
    await run("UPDATE consent SET valid_until = now() WHERE id = $1", [await addNewer(scene, ["pisp"])]);
    await consents().end(scene.consent, WITHDRAWN);
    expect(await endOf(terms)).to.equal("waiting");
    await expireConsents(databases[0], SERVER);
    expect(await endOf(terms)).to.equal("consent_ended");
  });

  it("is recorded with what ended it, also when its order can no longer be read", async () => {
    const scene = await newScene();
    const terms = await waiting(scene);
    await run("UPDATE signing_request SET order_text = '{}' WHERE id = $1", [terms.id]);
    expect(await consents().end(scene.consent, WITHDRAWN)).to.equal(true);
    const text =
      "SELECT actor, details::jsonb ->> 'reason' AS reason FROM audit_entry WHERE subject = $1 AND action = $2";
    const entries = await run(text, [terms.id, "signing.cancelled"]);
    expect(entries).to.deep.equal([{ actor: "psu", reason: "consent_ended" }]);
  });

  it(`is approved or ended, never both, however closely approval and withdrawal meet: ${RACES} times`, async () => {
    const states: unknown[] = [];
    for (let race = 0; race < RACES; race += 1) {
      const scene = await newScene();
      const terms = await waiting(scene);
      const withdrawal = () => consents().end(scene.consent, WITHDRAWN);
      const first = race % 2 ? withdrawal() : undefined;
      // Once the withdrawal is over before, and once the approval: whoever is the faster one of this machine, both are seen.
      if (race === RACES - 1) await first;
      const approval = approve(terms, 1);
      if (race === 0) await approval;
      const [settled, isEnded] = await Promise.all([approval, first ?? withdrawal()]);
      expect(isEnded).to.equal(true);
      const state = await endOf(terms);
      expect(settled?.request.state).to.equal(state === "consent_ended" ? "cancelled" : "approved");
      states.push(state);
    }
    expect(new Set(states)).to.deep.equal(new Set(["approved", "consent_ended"]));
  });

  it("is found again without waiting while somebody ends its consent or changes its application", async () => {
    const scene = await newScene();
    const terms = await waiting(scene);
    const again = await databases[1].transaction(async (queries) => {
      const { applicationId, consent } = scene;
      const lock = (table: string) => `SELECT FROM ${table} WHERE id = $1 FOR UPDATE`;
      await queries.run({ name: "lock-application", text: lock("application"), values: [applicationId] });
      await queries.run({ name: "lock-consent", text: lock("consent"), values: [consent] });
      const asking = ask(terms).then(({ result }) => result);
      return Promise.race([asking, until("SELECT FROM pg_advisory_xact_lock_shared%", asking)]);
    });
    expect(again).to.equal("known");
  });

  it("queues behind a waiting withdrawal, however many orders are being requested", async () => {
    const scene = await newScene();
    const [withdrawal, asking] = await databases[1].transaction(async (queries) => {
      await holdPaymentConsent(queries, scene);
      const withdrawing = consents().end(scene.consent, WITHDRAWN);
      await until("WITH ended AS%");
      const next = ask(termsOf(scene));
      await until("SELECT FROM consent%", next);
      return [withdrawing, next] as const;
    });
    expect(await withdrawal).to.equal(true);
    expect((await asking).result).to.equal("consent_ended");
  });

  it("makes a newer consent wait at the application, where all begin, so that there is no deadlock", async () => {
    const scene = await newScene();
    const [giving] = await databases[1].transaction(async (queries) => {
      await holdPaymentConsent(queries, scene);
      const newer = give({ ...scene, services: ["aisp", "pisp"] });
      await until("WITH held AS%", newer);
      return [newer] as const;
    });
    expect(await giving).to.not.equal(scene.consent);
  });

  it("queues behind a waiting change of its application, whichever PSU it is for", async () => {
    const scene = await newScene();
    const { owner, applicationId } = scene;
    const [removal, asking] = await databases[1].transaction(async (queries) => {
      await holdPaymentConsent(queries, scene);
      const removing = applications().remove({ id: applicationId, owner }, SERVER, () => {});
      await until("SELECT %");
      const next = ask(termsOf({ ...scene, psu: parsePsuId(`psu-${randomUUID()}`) }));
      await until("SELECT FROM pg_advisory_xact_lock_shared%", next);
      return [removing, next] as const;
    });
    expect(await removal).to.equal(true);
    expect((await asking).result).to.equal("consent_ended");
  });

  it("is found by a simultaneous withdrawal or not taken: fifty at once", async () => {
    const races = Array.from({ length: RACES }, async () => {
      const scene = await newScene();
      const terms = termsOf(scene);
      const [outcome] = await Promise.all([ask(terms), consents(1).end(scene.consent, WITHDRAWN)]);
      const end = await endOf(terms);
      expect(outcome.result === "created" ? "consent_ended" : undefined).to.equal(end);
    });
    await Promise.all(races);
  });
});
