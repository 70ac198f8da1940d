import { randomUUID } from "node:crypto";
import { parseApplicationId } from "@cobs/cobs-model";
import { parseOrganisationIdentifier } from "@cobs/psd2-certificates";
import type { Database } from "@cobs/service-edge";
import { expect } from "chai";
import { createApplicationStore } from "../../packages/auth/src/applications/application-postgres.ts";
import { createStopList } from "../../packages/auth/src/tpp/stop-list-postgres.ts";
import { twoProcesses } from "./auth-database.ts";
import { OWNER, storeApplication, storeTpp } from "./stored-tpp.ts";
import { operatorAct } from "./test-acts.ts";

const BLOCKED = parseOrganisationIdentifier("PSDCZ-CNB-2");

describe("Application for which a browser asks", () => {
  let databases: readonly [Database, Database];
  before(async () => {
    databases = await twoProcesses();
  });
  after(() => Promise.all(databases.map((database) => database.close())));

  it("is found with its own TPP, marked as blocked if that is on the stop list, by all who ask at once", async () => {
    const [database] = databases;
    const owners = [BLOCKED, OWNER];
    for (const owner of owners) await storeTpp(database, owner);
    await createStopList(database).block({
      kind: "organisation",
      key: BLOCKED,
      reason: "fraud",
      by: operatorAct("jana"),
    });
    const store = createApplicationStore(databases[1], async () => {});
    const ids = await Promise.all(owners.map((owner) => storeApplication(database, owner)));
    const ask = async (id: (typeof ids)[number]) => {
      const found = await store.findAsking(id);
      return found && [found.application.id, found.tpp.organisationIdentifier, found.isBlocked];
    };
    const asked = [...ids, ...ids, parseApplicationId(randomUUID())];
    const wanted = asked.map((id, at) => at < 4 && [id, owners[at % 2], at % 2 === 0]);
    expect((await Promise.all(asked.map(ask))).map((told) => told ?? false)).to.deep.equal(wanted);
    for (const [at, id] of asked.entries()) expect((await ask(id)) ?? false).to.deep.equal(wanted[at]);
    for (const id of ids)
      await database.run({
        name: "",
        text: "UPDATE application SET deleted_at = now() WHERE id = $1",
        values: [id],
      });
    expect(await Promise.all(ids.map(ask)), "deleted").to.deep.equal([undefined, undefined]);
  });
});
