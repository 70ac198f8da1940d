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

describe("Other consent to the same TPP", () => {
  let databases: readonly [Database, Database];
  before(async () => {
    databases = await twoProcesses();
    for (const tpp of [OWNER, ANOTHER_TPP]) await storeTpp(databases[0], tpp);
  });
  after(() => Promise.all(databases.map((database) => database.close())));

  it("is of the same PSU and TPP to another application, and in force", async () => {
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
});
