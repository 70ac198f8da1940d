import type { Database } from "@cobs/service-edge";
import { expect } from "chai";
import { createApplicationStore } from "../../packages/auth/src/applications/application-postgres.ts";
import { twoProcesses } from "./auth-database.ts";
import { OWNER, storeApplication, storeTpp } from "./stored-tpp.ts";

// As it was in that release.
const REMOVE_OF_0_1_0 = `UPDATE application SET deleted_at = now(), redirect_uris = '{}', client_name = '',
    localized_names = '[]', logo_uri = NULL, contact = NULL, secret_hash = ''
  WHERE id = $1 AND owner = $2 AND deleted_at IS NULL RETURNING id`;

describe("Process of release 0.1.0 beside one of this release", () => {
  let databases: readonly [Database, Database];
  before(async () => {
    databases = await twoProcesses();
    await storeTpp(databases[0]);
  });
  after(() => Promise.all(databases.map((database) => database.close())));

  it("deletes an application whose secret was renewed with an overlap", async () => {
    const id = await storeApplication(databases[0]);
    const renewed = `UPDATE application SET former_secret_hash = secret_hash, secret_hash = 'new',
      former_secret_until = now() + interval '1 hour' WHERE id = $1`;
    await databases[0].run({ name: "renewed", text: renewed, values: [id] });
    const removed = { name: "removed", text: REMOVE_OF_0_1_0, values: [id, OWNER] };
    expect(await databases[1].run(removed)).to.deep.equal([{ id }]);
    const store = createApplicationStore(databases[0], async () => {});
    expect(await store.listOwned(OWNER)).to.deep.equal([]);
  });
});
