import { parseOrganisationIdentifier } from "@cobs/psd2-certificates";
import type { Database } from "@cobs/service-edge";
import { expect } from "chai";
import { createStopList } from "../../packages/auth/src/tpp/stop-list-postgres.ts";
import { createTppSearch } from "../../packages/auth/src/tpp/tpp-search-postgres.ts";
import { createRegisterStore } from "../../packages/auth/src/tpp-register/register-postgres.ts";
import { twoProcesses } from "./auth-database.ts";
import { storeApplication, storeTpp } from "./stored-tpp.ts";
import { operatorAct } from "./test-acts.ts";

const [ONE, OTHER] = [
  parseOrganisationIdentifier("PSDCZ-CNB-1"),
  parseOrganisationIdentifier("PSDCZ-CNB-2"),
] as const;
const DAY = "2026-08-27";

describe("Search for TPPs", () => {
  let databases: readonly [Database, Database];
  before(async () => {
    databases = await twoProcesses();
  });
  after(() => Promise.all(databases.map((database) => database.close())));

  it("shows for each its own applications, its own block and the register's finding", async () => {
    const [database] = databases;
    for (const owner of [ONE, OTHER]) await storeTpp(database, owner);
    for (const owner of [ONE, OTHER, OTHER]) await storeApplication(database, owner);
    const order = { kind: "organisation", key: OTHER, reason: "fraud", by: operatorAct("jana") } as const;
    await createStopList(database).block(order);
    await createRegisterStore(database).finishDay(DAY, new Map([[OTHER, "withdrawn"]]));
    const search = createTppSearch(databases[1]);
    const listed = await search.list({ search: undefined, after: undefined, limit: 10 });
    const found = [await search.find(ONE), await search.find(OTHER)];
    for (const [one, other, ...more] of [listed, found]) {
      expect(more).to.deep.equal([]);
      const free = { applications: 1, blocks: [], register: undefined };
      expect(one).to.deep.include({ organisationIdentifier: ONE, ...free });
      expect(other).to.deep.include({ organisationIdentifier: OTHER, applications: 2 });
      expect(other?.blocks.map(({ reason }) => reason)).to.deep.equal(["fraud"]);
      expect(other?.register).to.deep.equal({ finding: "withdrawn", since: DAY, foundOn: DAY });
    }
    await createStopList(database).release({ kind: "organisation", key: OTHER, by: operatorAct("jana") });
    expect((await search.find(OTHER))?.blocks, "after the release").to.deep.equal([]);
  });
});
