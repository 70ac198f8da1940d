import { parsePsuId } from "@cobs/cobs-model";
import { parseOrganisationIdentifier } from "@cobs/psd2-certificates";
import type { Database } from "@cobs/service-edge";
import { expect } from "chai";
import { createConsentStore } from "../../packages/auth/src/consent/consent-postgres.ts";
import { createPsuConsents } from "../../packages/auth/src/consent/psu-consents-postgres.ts";
import { twoProcesses } from "./auth-database.ts";
import { consentTo } from "./sample-consent.ts";
import { OWNER, storeApplication, storeTpp } from "./stored-tpp.ts";
import { psuAct } from "./test-acts.ts";

const ANOTHER_TPP = parseOrganisationIdentifier("PSDCZ-CNB-2");

describe("Consent of a PSU, on its pages", () => {
  let databases: readonly [Database, Database];
  before(async () => {
    databases = await twoProcesses();
    for (const tpp of [OWNER, ANOTHER_TPP]) await storeTpp(databases[0], tpp);
  });
  after(() => Promise.all(databases.map((database) => database.close())));

  it("to the same TPP as another is of the same PSU to another application, and in force", async () => {
    const store = createConsentStore(databases[0]);
    const [first, second, third, foreign] = [
      await storeApplication(databases[0]),
      await storeApplication(databases[0]),
      await storeApplication(databases[0]),
      await storeApplication(databases[0], ANOTHER_TPP),
    ];
    const [asked, other, ended] = [consentTo(first), consentTo(second), consentTo(third)];
    const strangers = [
      consentTo(second, { psu: parsePsuId("another") }),
      consentTo(foreign, { organisationIdentifier: ANOTHER_TPP }),
    ];
    for (const each of [asked, other, ended, ...strangers])
      expect(await store.give(each, psuAct())).to.equal(true);
    await store.end(ended.id, { by: "psu", reason: "withdrawn", act: psuAct() });
    const shown = await store.findActive(asked.id);
    if (shown === undefined) throw new Error("no consent");
    const found = await createPsuConsents(databases[1]).findOthers(shown);
    expect(found.map(({ consent }) => consent.id)).to.deep.equal([other.id]);
  });

  it("stays listed without a name when its application is gone, as does an ended one", async () => {
    const [store, psu] = [createConsentStore(databases[0]), parsePsuId("psu-of-gone")];
    const [application, another] = [
      await storeApplication(databases[0]),
      await storeApplication(databases[0]),
    ];
    const [kept, ended] = [consentTo(application, { psu }), consentTo(another, { psu })];
    for (const each of [kept, ended]) expect(await store.give(each, psuAct(psu))).to.equal(true);
    await store.end(ended.id, { by: "psu", reason: "withdrawn", act: psuAct(psu) });
    const text = "UPDATE application SET deleted_at = now() WHERE id = ANY ($1)";
    await databases[0].run({ name: "delete", text, values: [[application, another]] });
    const listed = async (active: boolean) =>
      (await createPsuConsents(databases[1]).list(psu, { active, page: 1 })).consents.map((each) => [
        each.consent.id,
        each.application,
      ]);
    expect(await listed(true)).to.deep.equal([[kept.id, undefined]]);
    expect(await listed(false)).to.deep.equal([[ended.id, undefined]]);
  });
});
