import { randomInt, randomUUID } from "node:crypto";
import { parseOrganisationIdentifier, thumbprintOf } from "@cobs/psd2-certificates";
import type { Database } from "@cobs/service-edge";
import { expect } from "chai";
import { createApplicationStore } from "../../packages/auth/src/applications/application-postgres.ts";
import type { NewApplication } from "../../packages/auth/src/applications/application-store.ts";
import { createConsentId } from "../../packages/auth/src/consent/consent-id.ts";
import { createConsentStore } from "../../packages/auth/src/consent/consent-postgres.ts";
import type { NewConsent } from "../../packages/auth/src/consent/consent-store.ts";
import { endConsentsOfApplication } from "../../packages/auth/src/consent/end-consents-postgres.ts";
import { hashRecordId } from "../../packages/auth/src/ephemeral/hash-record-id.ts";
import { createFeed } from "../../packages/auth/src/feed/feed-postgres.ts";
import { createTokenStore } from "../../packages/auth/src/tokens/token-store-postgres.ts";
import { createStopList } from "../../packages/auth/src/tpp/stop-list-postgres.ts";
import { twoProcesses } from "./auth-database.ts";
import { consentTo } from "./sample-consent.ts";
import { OWNER, storeApplication, storeTpp } from "./stored-tpp.ts";
import { operatorAct, psuAct, tppAct } from "./test-acts.ts";

const JANA = operatorAct("jana");

const ACT = { actor: { kind: "server", part: "test" }, requestId: undefined } as const;

describe("Event feed at an ending", () => {
  let databases: readonly [Database, Database];
  before(async () => {
    databases = await twoProcesses();
    await storeTpp(databases[0]);
  });
  after(() => Promise.all(databases.map((database) => database.close())));

  /** The events that an act appends, as `kind key`. */
  async function toldBy(act: () => Promise<unknown>): Promise<readonly string[]> {
    const feed = createFeed(databases[1]);
    const before = await feed.head();
    await act();
    return ((await feed.readAfter({ position: before, mark: undefined }))?.events ?? []).map(
      ({ kind, key }) => `${kind} ${key}`,
    );
  }

  const applications = () => createApplicationStore(databases[0], endConsentsOfApplication);
  const consents = () => createConsentStore(databases[0]);
  const tokens = () => createTokenStore<object>(databases[0]);
  const stopList = (process: 0 | 1 = 0) => createStopList(databases[process]);

  async function newApplication() {
    return { id: await storeApplication(databases[0]), owner: OWNER };
  }

  async function newConsent(applicationId: NewApplication["id"]): Promise<NewConsent> {
    const consent = consentTo(applicationId);
    expect(await consents().give(consent, psuAct())).to.equal(true);
    return consent;
  }

  it("announces a consent that ends once in ten parallel attempts", async () => {
    const { id } = await newConsent((await newApplication()).id);
    const end = () => consents().end(id, { by: "psu", reason: "withdrawn", act: psuAct() });
    const told = await toldBy(() => Promise.all(Array.from({ length: 10 }, end)));
    expect(told).to.deep.equal([`consent ${id}`]);
    expect(await toldBy(end)).to.deep.equal([]);
  });

  it("announces a consent that a newer one replaces, not the newer one", async () => {
    const { id } = await newApplication();
    const earlier = await newConsent(id);
    expect(await toldBy(() => newConsent(id))).to.deep.equal([`consent ${earlier.id}`]);
  });

  it("announces nothing when an approval was already used, so nothing ended", async () => {
    const consent = await newConsent((await newApplication()).id);
    const again = () => consents().give({ ...consent, id: createConsentId() }, psuAct());
    expect(await toldBy(again)).to.deep.equal([]);
    expect(await consents().findActive(consent.id)).not.to.equal(undefined);
  });

  it("announces an application that is deleted, instead of its consents", async () => {
    const application = await newApplication();
    await newConsent(application.id);
    expect(await toldBy(() => applications().remove(application, ACT, () => {}))).to.deep.equal([
      `application ${application.id}`,
    ]);
    expect(await toldBy(() => applications().remove(application, ACT, () => {}))).to.deep.equal([]);
  });

  it("announces an application that is changed, whatever changed", async () => {
    const application = await newApplication();
    const replaced = () => applications().replace(application, ACT, (current) => current);
    expect(await toldBy(replaced)).to.deep.equal([`application ${application.id}`]);
  });

  it("announces an access token that is removed, by its hash, but no code", async () => {
    const terms = { grantId: "g", lifetimeSeconds: 60 };
    const [token, code] = [
      { kind: "AccessToken", id: randomUUID() },
      { kind: "AuthorizationCode", id: randomUUID() },
    ];
    for (const key of [token, code]) await tokens().put(key, {}, terms);
    const hash = hashRecordId(token.id).toString("base64url");
    expect(await toldBy(() => tokens().remove(token, tppAct()))).to.deep.equal([`token ${hash}`]);
    expect(await toldBy(() => tokens().remove(token, tppAct()))).to.deep.equal([]);
    expect(await toldBy(() => tokens().remove(code, tppAct()))).to.deep.equal([]);
  });

  it("announces a block and a release of a TPP and of a certificate, each once", async () => {
    const tpp = {
      kind: "organisation",
      key: parseOrganisationIdentifier(`PSDCZ-CNB-${randomInt(2 ** 40)}`),
    } as const;
    const certificate = { kind: "certificate", key: thumbprintOf(Buffer.from(randomUUID())) } as const;
    const told = await toldBy(async () => {
      for (const key of [tpp, certificate]) {
        await Promise.all(
          [0, 1, 0, 1].map((at) => stopList(at ? 1 : 0).block({ ...key, reason: "r", by: JANA })),
        );
        await Promise.all([0, 1, 0, 1].map((at) => stopList(at ? 1 : 0).release({ ...key, by: JANA })));
      }
    });
    expect(told).to.deep.equal([
      `tpp_blocked ${tpp.key}`,
      `tpp_released ${tpp.key}`,
      `certificate_blocked ${certificate.key}`,
      `certificate_released ${certificate.key}`,
    ]);
  });

  it("announces a key as free only when nobody blocks it, whoever blocks and releases at once", async () => {
    for (let round = 0; round < 20; round += 1) {
      const key = parseOrganisationIdentifier(`PSDCZ-CNB-${randomInt(2 ** 40)}`);
      const tpp = { kind: "organisation", key } as const;
      await stopList().block({ ...tpp, reason: "fraud", by: JANA });
      const told = await toldBy(() =>
        Promise.all([
          stopList(0).release({ ...tpp, by: JANA }),
          stopList(1).block({ ...tpp, reason: "withdrawn", by: "register" }),
        ]),
      );
      expect(told.at(-1)).to.equal(`tpp_blocked ${key}`);
      expect(await toldBy(() => stopList().block({ ...tpp, reason: "again", by: JANA }))).to.have.length(1);
      expect(await toldBy(() => stopList().release({ ...tpp, by: "register" }))).to.deep.equal([]);
      expect(await toldBy(() => stopList().release({ ...tpp, by: JANA }))).to.deep.equal([
        `tpp_released ${key}`,
      ]);
    }
  });

  it("has the position from which to follow changes of the stop list just read", async () => {
    const feed = createFeed(databases[0]);
    const key = parseOrganisationIdentifier(`PSDCZ-CNB-${randomInt(2 ** 40)}`);
    await stopList().block({ kind: "organisation", key, reason: "fraud", by: JANA });
    const { keys, ...cursor } = await stopList(1).blockedKeys();
    expect(cursor.position).to.equal(await feed.head());
    const before = { position: cursor.position - 1, mark: undefined };
    expect((await feed.readAfter(before))?.events.map(({ mark }) => mark)).to.deep.equal([cursor.mark]);
    expect(keys.filter((each) => each.key === key)).to.deep.equal([{ kind: "organisation", key }]);
  });
});
