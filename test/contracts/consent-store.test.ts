import { parsePsuId } from "@cobs/cobs-model";
import type { Database } from "@cobs/service-edge";
import { expect } from "chai";
import { createApplicationId } from "../../packages/auth/src/applications/client-secret.ts";
import { createConsentStore } from "../../packages/auth/src/consent/consent-postgres.ts";
import type { ConsentStore } from "../../packages/auth/src/consent/consent-store.ts";
import { createTokenStore } from "../../packages/auth/src/tokens/token-store-postgres.ts";
import { twoProcesses } from "./auth-database.ts";
import { consentTo, PSU } from "./sample-consent.ts";
import { storeApplication, storeTpp } from "./stored-tpp.ts";
import { psuAct, tppAct } from "./test-acts.ts";

describe("Consent store", () => {
  let databases: readonly [Database, Database];
  let one: ConsentStore;
  let other: ConsentStore;
  before(async () => {
    databases = await twoProcesses();
    [one, other] = [createConsentStore(databases[0]), createConsentStore(databases[1])];
    await storeTpp(databases[0]);
  });
  after(() => Promise.all(databases.map((database) => database.close())));

  const newApplication = () => storeApplication(databases[0]);

  it("finds an active consent in every process, with all of its terms", async () => {
    const { approval: _, ...terms } = consentTo(await newApplication());
    expect(await one.give({ ...terms, approval: "a" }, psuAct())).to.equal(true);
    expect(await other.findActive(terms.id)).to.deep.equal({ ...terms, version: 1, state: "active" });
  });

  it("gives one consent for one approval in fifty parallel attempts in two processes", async () => {
    const application = await newApplication();
    const attempts = Array.from({ length: 50 }, (_, index) =>
      (index % 2 === 0 ? one : other).give(consentTo(application, { approval: "one approval" }), psuAct()),
    );
    expect((await Promise.all(attempts)).filter(Boolean)).to.have.length(1);
    const history = await one.history(application, PSU);
    expect(history.map(({ state, version }) => [state, version])).to.deep.equal([["active", 1]]);
  });

  it("finds what an approval has given in every process, for as long as it is active", async () => {
    const { approval, ...terms } = consentTo(await newApplication());
    expect(await other.findGiven(approval)).to.equal(undefined);
    await one.give({ ...terms, approval }, psuAct());
    expect(await other.findGiven(approval)).to.deep.equal({ ...terms, version: 1, state: "active" });
    await one.end(terms.id, { by: "psu", reason: "withdrawn", act: psuAct() });
    expect(await other.findGiven(approval)).to.equal(undefined);
  });

  it("leaves one consent active of many given at once, and numbers their versions", async () => {
    const application = await newApplication();
    await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        (index % 2 ? one : other).give(consentTo(application), psuAct()),
      ),
    );
    const history = await one.history(application, PSU);
    expect(history.map(({ version }) => version)).to.deep.equal([10, 9, 8, 7, 6, 5, 4, 3, 2, 1]);
    expect(history.map(({ state }) => state)).to.deep.equal(["active", ...Array(9).fill("revoked")]);
    expect(history[9]).to.include({ endedBy: "psu", reason: "superseded" });
    const entries = `SELECT subject FROM audit_entry WHERE action = 'consent.given' AND subject = ANY ($1)`;
    const recorded = await databases[0].pool.query<{ subject: string }>(entries, [
      history.map(({ id }) => id),
    ]);
    expect(recorded.rows.map(({ subject }) => subject)).to.have.members(history.map(({ id }) => id));
  });

  it("ends through a newer consent only the earlier one of the same PSU to the same application", async () => {
    const application = await newApplication();
    const others = [
      consentTo(await newApplication()),
      consentTo(application, { psu: parsePsuId("another") }),
    ];
    const earlier = consentTo(application);
    for (const consent of [...others, earlier, consentTo(application)])
      expect(await one.give(consent, psuAct())).to.equal(true);
    expect(await other.findActive(earlier.id)).to.equal(undefined);
    for (const { id } of others) expect(await other.findActive(id)).to.include({ state: "active" });
  });

  it("lists what a PSU has consented to with one application, and nothing of other PSUs or applications", async () => {
    const application = await newApplication();
    const own = [consentTo(application), consentTo(application)];
    const others = [
      consentTo(application, { psu: parsePsuId("another") }),
      consentTo(await newApplication()),
    ];
    for (const consent of [...own, ...others]) await one.give(consent, psuAct());
    const history = await other.history(application, PSU);
    expect(history.map(({ id }) => id)).to.deep.equal(own.map(({ id }) => id).reverse());
  });

  it("finds what a PSU allows an application now, and nothing of other applications or PSUs", async () => {
    const [application, another, unknown] = [
      await newApplication(),
      await newApplication(),
      await newApplication(),
    ];
    const stranger = parsePsuId("another");
    const given = [
      consentTo(application),
      consentTo(application, { psu: stranger }),
      consentTo(another),
      consentTo(another),
    ];
    for (const consent of given) expect(await one.give(consent, psuAct())).to.equal(true);
    const found = await Promise.all([
      other.findPresent(application, PSU),
      other.findPresent(application, stranger),
      other.findPresent(another, PSU),
      other.findPresent(another, stranger),
      other.findPresent(unknown, PSU),
    ]);
    const ids = [given[0]?.id, given[1]?.id, given[3]?.id, undefined, undefined];
    expect(found.map((consent) => consent?.id)).to.deep.equal(ids);
  });

  it("gives no consent to an application that is gone or has not registered the services", async () => {
    const application = await newApplication();
    expect(await one.give(consentTo(createApplicationId()), psuAct())).to.equal(false);
    const text = "UPDATE application SET scopes = '{aisp}' WHERE id = $1";
    await databases[0].run({ name: "narrow", text, values: [application] });
    expect(await one.give(consentTo(application, { services: ["aisp", "pisp"] }), psuAct())).to.equal(false);
    expect(await one.give(consentTo(application), psuAct())).to.equal(true);
  });

  it("ends a consent once, for one reason, with all of its codes and tokens", async () => {
    const consent = consentTo(await newApplication());
    const tokens = createTokenStore<object>(databases[0]);
    const key = { kind: "AccessToken", id: "of the consent" };
    await one.give(consent, psuAct());
    await tokens.put(key, {}, { grantId: consent.id, lifetimeSeconds: 60 });
    const endings = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        (index % 2 ? one : other).end(consent.id, { by: "psu", reason: "withdrawn", act: psuAct() }),
      ),
    );
    expect(endings.filter(Boolean)).to.have.length(1);
    expect(await one.end(consent.id, { by: "bank", reason: "code_reused", act: tppAct() })).to.equal(false);
    expect(await one.findActive(consent.id)).to.equal(undefined);
    expect(await one.findPresent(consent.applicationId, PSU)).to.equal(undefined);
    expect(await tokens.find(key)).to.equal(undefined);
    const [kept] = await one.history(consent.applicationId, PSU);
    expect(kept).to.include({ state: "revoked", endedBy: "psu", reason: "withdrawn" });
  });

  it("ends hundreds of consents of a TPP at once in a few transactions, each once and as the act of its call", async () => {
    const application = await newApplication();
    const consents = Array.from({ length: 300 }, (_, nth) =>
      consentTo(application, { psu: parsePsuId(`psu-${nth}`) }),
    );
    await Promise.all(consents.map((consent) => one.give(consent, psuAct())));
    let transactions = 0;
    const counting = createConsentStore({
      ...databases[0],
      transaction: (work, turn) => {
        transactions += 1;
        return databases[0].transaction(work, turn);
      },
    });
    const reasons = ["refresh_token_revoked", "code_reused"] as const;
    const endings = consents.map(({ id }, nth) => {
      const reason = reasons[nth % 2] ?? "code_reused";
      return { id, ending: { by: "tpp", reason, act: { ...tppAct(), requestId: `end of ${id}` } } } as const;
    });
    const ids = consents.map(({ id }) => id);
    const ends = await databases[1].transaction(async (queries) => {
      // As while their first use is being recorded.
      const text = "SELECT FROM consent WHERE id = ANY ($1) FOR KEY SHARE";
      await queries.run({ name: "refer-to", text, values: [ids] });
      return Promise.all(endings.map(({ id, ending }) => counting.end(id, ending)));
    });
    expect(ends).to.deep.equal(ends.map(() => true));
    expect(transactions).to.be.at.most(6);
    const run = <Row>(text: string) => databases[0].run<Row>({ name: "", text, values: [ids] });
    const recorded = await run(`SELECT subject AS id, request_id, details::json ->> 'reason' AS reason
      FROM audit_entry WHERE action = 'consent.ended' AND subject = ANY ($1)`);
    expect(recorded).to.have.deep.members(
      endings.map(({ id, ending: { reason, act } }) => ({ id, request_id: act.requestId, reason })),
    );
    const kept = await run("SELECT id, end_reason AS reason FROM consent WHERE id = ANY ($1)");
    expect(kept).to.have.deep.members(endings.map(({ id, ending: { reason } }) => ({ id, reason })));
    const told = await run<{ key: string }>("SELECT key FROM feed_event WHERE key = ANY ($1)");
    expect(told.map(({ key }) => key)).to.have.members(ids);
  });

  it("ends a consent once for a TPP, however often that asks at one moment", async () => {
    const consent = consentTo(await newApplication());
    await one.give(consent, psuAct());
    const ending = { by: "tpp", reason: "refresh_token_revoked", act: tppAct() } as const;
    const ends = await Promise.all(
      Array.from({ length: 10 }, (_, nth) => (nth % 2 ? one : other).end(consent.id, ending)),
    );
    expect(ends.filter(Boolean)).to.have.length(1);
  });

  it("ends no consent of a TPP behind one that another transaction holds", async () => {
    const [held, free] = [consentTo(await newApplication()), consentTo(await newApplication())];
    for (const consent of [held, free]) await one.give(consent, psuAct());
    const end = ({ id }: typeof held) =>
      one.end(id, { by: "tpp", reason: "refresh_token_revoked", act: tppAct() });
    const text = "SELECT FROM consent WHERE id = $1 FOR UPDATE";
    const seen = await databases[1].transaction(async (queries) => {
      await queries.run({ name: "hold", text, values: [held.id] });
      const waits = end(held);
      waits.catch(() => {});
      return {
        isFreeEnded: await end(free),
        waits,
        isHeldThere: (await one.findActive(held.id)) !== undefined,
      };
    });
    expect(await seen.waits).to.equal(true);
    expect([seen.isFreeEnded, seen.isHeldThere]).to.deep.equal([true, true]);
    expect(await end(held)).to.equal(false);
  });

  it("ends each consent alone, and none twice at a time, where those of a TPP cannot end together", async () => {
    const application = await newApplication();
    const consents = Array.from({ length: 20 }, (_, nth) =>
      consentTo(application, { psu: parsePsuId(`alone-${nth}`) }),
    );
    await Promise.all(consents.map((consent) => one.give(consent, psuAct())));
    let [underWay, most] = [0, 0];
    const deadlock = Object.assign(new Error("deadlock detected"), { code: "40P01" });
    const troubled = createConsentStore({
      ...databases[0],
      transaction: async (work, turn) => {
        if (turn === undefined) throw deadlock;
        return databases[0].transaction(async (queries) => {
          underWay += 1;
          most = Math.max(most, underWay);
          return work(queries).finally(() => {
            underWay -= 1;
          });
        }, turn);
      },
    });
    const ending = { by: "tpp", reason: "refresh_token_revoked", act: tppAct() } as const;
    const ends = await Promise.all(consents.map(({ id }) => troubled.end(id, ending)));
    expect(ends).to.deep.equal(ends.map(() => true));
    expect(most).to.equal(1);
  });

  it("expires a consent by itself, which is then no longer active and cannot be ended", async () => {
    const consent = consentTo(await newApplication(), { validUntil: new Date(Date.now() - 1_000) });
    await one.give(consent, psuAct());
    expect(await one.findActive(consent.id)).to.equal(undefined);
    expect(await one.end(consent.id, { by: "psu", reason: "withdrawn", act: psuAct() })).to.equal(false);
    expect((await one.history(consent.applicationId, PSU))[0]?.state).to.equal("expired");
  });
});
