import { randomUUID } from "node:crypto";
import { parseApplicationId } from "@cobs/cobs-model";
import { parseOrganisationIdentifier, thumbprintOf } from "@cobs/psd2-certificates";
import type { Database } from "@cobs/service-edge";
import { expect } from "chai";
import { createApplicationStore } from "../../packages/auth/src/applications/application-postgres.ts";
import { createStopList } from "../../packages/auth/src/tpp/stop-list-postgres.ts";
import { twoProcesses } from "./auth-database.ts";
import { OWNER, storeApplication, storeTpp } from "./stored-tpp.ts";
import { operatorAct } from "./test-acts.ts";

const OTHER = parseOrganisationIdentifier("PSDCZ-CNB-2");
const BLOCKED = parseOrganisationIdentifier("PSDCZ-CNB-3");
const certificate = () => thumbprintOf(Buffer.from(randomUUID()));

describe("Application that a call names, with the stop list's verdict on its TPP", () => {
  let databases: readonly [Database, Database];
  before(async () => {
    databases = await twoProcesses();
  });
  after(() => Promise.all(databases.map((database) => database.close())));

  it("is given to each of many that ask at the same moment as to one alone", async () => {
    const [database] = databases;
    const [stopList, store] = [createStopList(database), createApplicationStore(database, async () => {})];
    for (const owner of [OWNER, OTHER, BLOCKED]) await storeTpp(database, owner);
    const own = await storeApplication(database, OWNER);
    const ofBlocked = await storeApplication(database, BLOCKED);
    const deleted = await storeApplication(database, OWNER);
    await database.run({
      name: "",
      text: "UPDATE application SET deleted_at = now() WHERE id = $1",
      values: [deleted],
    });
    const [free, stolen, twin] = [certificate(), certificate(), certificate()];
    const order = { reason: "fraud", by: operatorAct("jana") };
    await stopList.block({ kind: "organisation", key: BLOCKED, ...order });
    await stopList.block({ kind: "certificate", key: stolen, ...order });
    const unknown = parseApplicationId(randomUUID());
    const cases = [
      [{ organisationIdentifier: OWNER, thumbprint: free }, own, undefined, own],
      [{ organisationIdentifier: OTHER, thumbprint: free }, own, undefined, own],
      [{ organisationIdentifier: OWNER, thumbprint: free }, unknown, undefined, undefined],
      [{ organisationIdentifier: OWNER, thumbprint: free }, deleted, undefined, undefined],
      [{ organisationIdentifier: OWNER, thumbprint: free }, undefined, undefined, undefined],
      [{ organisationIdentifier: OWNER, thumbprint: stolen }, own, "certificate", own],
      [
        { organisationIdentifier: OWNER, thumbprint: twin, twinThumbprint: stolen },
        undefined,
        "certificate",
        undefined,
      ],
      [{ organisationIdentifier: BLOCKED, thumbprint: stolen }, ofBlocked, "organisation", ofBlocked],
      [{ organisationIdentifier: BLOCKED, thumbprint: free }, undefined, "organisation", undefined],
    ] as const;
    const ask = async ([by, id]: (typeof cases)[number]) => {
      const { blocked, found } = await store.findNamed(by, id);
      return [blocked, found?.application.id];
    };
    const wanted = cases.map(([, , blocked, found]) => [blocked, found]);
    const alone = [];
    for (const each of cases) alone.push(await ask(each));
    expect(alone).to.deep.equal(wanted);
    const many = Array.from({ length: 50 }, () => cases).flat();
    const together = await Promise.all(many.map(ask));
    expect(together).to.deep.equal(Array.from({ length: 50 }, () => wanted).flat());
  });
});
