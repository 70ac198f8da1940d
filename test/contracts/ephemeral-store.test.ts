import type { Database } from "@cobs/service-edge";
import { expect } from "chai";
import { createEphemeralEpochs } from "../../packages/auth/src/ephemeral/ephemeral-epoch-postgres.ts";
import { createEphemeralStoreInPostgres } from "../../packages/auth/src/ephemeral/ephemeral-store-postgres.ts";
import { rejectionOf } from "../support/rejection.ts";
import { twoProcesses } from "./auth-database.ts";
import { describeEphemeralStore } from "./ephemeral-store-contract.ts";

describeEphemeralStore("in PostgreSQL", async () => {
  const databases = await twoProcesses();
  return {
    one: createEphemeralStoreInPostgres(databases[0]),
    other: createEphemeralStoreInPostgres(databases[1]),
    kept: async () => {
      const text = "SELECT e::text AS row FROM ephemeral_record e";
      const rows = await databases[0].run<{ row: string }>({ name: "e", text, values: [] });
      return rows.map(({ row }) => row).join();
    },
    close: () => Promise.all(databases.map((database) => database.close())),
  };
});

describe("Ephemeral store in PostgreSQL", () => {
  it("stores a minute's pushed requests that come at once in few transactions, of which none waits long", async () => {
    const databases = await twoProcesses();
    let transactions = 0;
    const transaction: Database["transaction"] = (work, turn) => {
      transactions += 1;
      return databases[0].transaction(work, turn);
    };
    const store = createEphemeralStoreInPostgres({ ...databases[0], transaction });
    const put = (index: number) => {
      const terms = { uid: `application-${index % 2}`, lifetimeSeconds: 60, limit: 250 };
      return store.putAmong({ kind: "PushedAuthorizationRequest", id: `at-once-${index}` }, {}, terms);
    };
    const stored = await Promise.all(Array.from({ length: 600 }, (_, index) => put(index)));
    // Of each application the first that came.
    expect(stored).to.deep.equal(stored.map((_, index) => index < 500));
    expect(transactions).to.be.at.most(10);
    await Promise.all(databases.map((database) => database.close()));
  });
});

describe("Epoch of an ephemeral store", () => {
  it("is requested again when the database did not answer", async () => {
    const databases = await twoProcesses();
    let asked = 0;
    const run: Database["run"] = (statement) => {
      asked += 1;
      return asked === 1 ? Promise.reject(new Error("no answer")) : databases[0].run(statement);
    };
    const epochs = createEphemeralEpochs({ ...databases[0], run });
    expect(await rejectionOf(epochs.current())).to.include({ message: "no answer" });
    expect(await epochs.current()).to.equal(await createEphemeralEpochs(databases[1]).current());
    expect(await epochs.current()).to.be.a("string");
    expect(asked).to.equal(2);
    await Promise.all(databases.map((database) => database.close()));
  });
});
