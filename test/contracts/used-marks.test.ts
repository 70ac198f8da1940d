import { randomUUID } from "node:crypto";
import type { Database } from "@cobs/service-edge";
import { expect } from "chai";
import { createUsedMarks } from "../../packages/auth/src/provider/used-marks-postgres.ts";
import { twoProcesses } from "./auth-database.ts";

describe("Single-use value", () => {
  let databases: readonly [Database, Database];
  before(async () => {
    databases = await twoProcesses();
  });
  after(() => Promise.all(databases.map((database) => database.close())));

  const use = (id: string, by?: string, process: 0 | 1 = 0, lifetimeSeconds = 60) =>
    createUsedMarks(databases[process]).use(
      { kind: "ReplayDetection", id },
      { lifetimeSeconds, ...(by === undefined ? {} : { by }) },
    );
  const count = (uses: readonly string[], what: string) => uses.filter((each) => each === what).length;

  it("is used by one of 50 callers at once in two processes, and by nobody again (RFC 7523 3)", async () => {
    const id = randomUUID();
    const uses = await Promise.all(
      Array.from({ length: 50 }, (_, index) => use(id, undefined, index % 2 ? 1 : 0)),
    );
    expect([count(uses, "first"), count(uses, "used")]).to.deep.equal([1, 49]);
    expect(await use(id)).to.equal("used");
  });

  it("is used again only by the same user, where each is named", async () => {
    const id = randomUUID();
    const uses = await Promise.all(
      Array.from({ length: 50 }, (_, index) => use(id, "one", index % 2 ? 1 : 0)),
    );
    expect([count(uses, "first"), count(uses, "again")]).to.deep.equal([1, 49]);
    expect(await Promise.all([use(id, "one"), use(id, "another"), use(id)])).to.deep.equal([
      "again",
      "used",
      "used",
    ]);
  });

  it("is usable again once its time is over", async () => {
    const id = randomUUID();
    expect(await use(id, "one", 0, 0)).to.equal("first");
    expect(await use(id, "another")).to.equal("first");
  });
});
