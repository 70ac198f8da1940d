import { parsePsuId } from "@cobs/cobs-model";
import type { Database } from "@cobs/service-edge";
import { expect } from "chai";
import { createUpstreamPeople } from "../../packages/auth/src/psu/upstream/upstream-people-postgres.ts";
import { cleanExpired } from "../../packages/auth/src/records/clean-expired-postgres.ts";
import { twoProcesses } from "./auth-database.ts";

const PSU = parsePsuId("bank-0042");
const DAY_MILLISECONDS = 86_400_000;
const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MILLISECONDS);

describe("People of the bank's own provider", () => {
  let databases: readonly [Database, Database];
  beforeEach(async () => {
    databases = await twoProcesses();
  });
  afterEach(() => Promise.all(databases.map((each) => each.close())));

  it("are known to every process from their first sign-in, and nobody else is", async () => {
    const [here, there] = databases.map(createUpstreamPeople);
    expect(await there?.find(PSU)).to.equal(undefined);
    await here?.remember({ psu: PSU, displayName: "Jana" }, daysAgo(0));
    expect(await there?.find(PSU)).to.deep.equal({ id: PSU, displayName: "Jana" });
    expect(await there?.find(parsePsuId("bank-0043"))).to.equal(undefined);
  });

  it("have the name of their latest sign-in, even when fifty are stored at once in any order", async () => {
    const [here, there] = databases.map(createUpstreamPeople);
    await Promise.all(
      Array.from({ length: 50 }, (_, age) =>
        (age % 2 === 0 ? here : there)?.remember({ psu: PSU, displayName: `Jana ${age}` }, daysAgo(age)),
      ),
    );
    expect(await here?.find(PSU)).to.deep.include({ displayName: "Jana 0" });
  });

  it("are deleted when no consent of theirs can live any more, and not before (RTS Article 10a(2)(b))", async () => {
    const people = createUpstreamPeople(databases[0]);
    const stayed = parsePsuId("bank-0043");
    await people.remember({ psu: PSU, displayName: "Jana" }, daysAgo(201));
    await people.remember({ psu: stayed, displayName: "Petr" }, daysAgo(181));
    await cleanExpired(databases[1]);
    expect(await people.find(PSU)).to.equal(undefined);
    expect(await people.find(stayed)).to.deep.include({ id: stayed });
  });
});
