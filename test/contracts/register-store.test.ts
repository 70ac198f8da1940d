import { type OrganisationIdentifier, parseOrganisationIdentifier } from "@cobs/psd2-certificates";
import type { Database } from "@cobs/service-edge";
import { expect } from "chai";
import type { RegisterFinding } from "../../packages/auth/src/tpp-register/register-finding.ts";
import { createRegisterStore } from "../../packages/auth/src/tpp-register/register-postgres.ts";
import type { RegisterStore } from "../../packages/auth/src/tpp-register/register-store.ts";
import { eventually } from "../support/eventually.ts";
import { twoProcesses } from "./auth-database.ts";

const TPP = parseOrganisationIdentifier("PSDCZ-CNB-99000011");
const OTHER = parseOrganisationIdentifier("PSDSK-NBS-99000022");

describe("Store of the register's checks", () => {
  let databases: readonly [Database, Database];
  let one: RegisterStore;
  let other: RegisterStore;
  const sql = async (text: string, values: readonly unknown[] = []) =>
    (await databases[0].pool.query(text, [...values])).rows;
  const remember = (tpp: OrganisationIdentifier) =>
    sql(
      `INSERT INTO tpp (organisation_identifier, organisation_name, authority_id, authority_name, roles)
       VALUES ($1, 'A TPP', 'CZ-CNB', 'Czech National Bank', '{PSP_AI}')`,
      [tpp],
    );
  before(async () => {
    databases = await twoProcesses();
    [one, other] = [createRegisterStore(databases[0]), createRegisterStore(databases[1])];
    for (const tpp of [TPP, OTHER]) await remember(tpp);
  });
  after(() => Promise.all(databases.map((database) => database.close())));

  const takenBy = async (day: string) => {
    const tries = Array.from({ length: 50 }, (_, index) => (index % 2 ? one : other).takeDay(day));
    return (await Promise.all(tries)).filter(Boolean).length;
  };
  const found = (...findings: readonly (readonly [OrganisationIdentifier, RegisterFinding])[]) =>
    new Map(findings);
  const kept = () =>
    sql(`SELECT organisation_identifier AS tpp, finding, since::text, found_on::text
      FROM tpp_register_finding ORDER BY 1`);

  it("gives a day to one of fifty callers at once, in any number of processes", async () => {
    expect(await takenBy("2026-11-01")).to.equal(1);
    expect(await takenBy("2026-11-01")).to.equal(0);
    expect(await takenBy("2026-11-02")).to.equal(1);
  });

  it("gives a day out again, once, if it was not finished within a quarter of an hour", async () => {
    await one.takeDay("2026-11-03");
    const wait = (minutes: number) =>
      sql(
        "UPDATE tpp_register_check SET taken_at = now() - make_interval(mins => $2::int) WHERE day = $1::date",
        ["2026-11-03", minutes],
      );
    await wait(14);
    expect(await takenBy("2026-11-03")).to.equal(0);
    await wait(16);
    expect(await takenBy("2026-11-03")).to.equal(1);
    await other.finishDay("2026-11-03", found([TPP, "unclear"], [OTHER, "unclear"]));
    await wait(16);
    expect(await takenBy("2026-11-03")).to.equal(0);
  });

  it("knows the TPPs that have called", async () => {
    expect(await other.tppsToLookUp("2026-11-04")).to.deep.equal([TPP, OTHER]);
  });

  it("keeps the last finding of each TPP, and since when it holds", async () => {
    await one.finishDay("2026-11-04", found([TPP, "authorised"], [OTHER, "absent"]));
    await one.finishDay("2026-11-05", found([TPP, "authorised"], [OTHER, "withdrawn"]));
    expect(await kept()).to.deep.equal([
      { tpp: TPP, finding: "authorised", since: "2026-11-04", found_on: "2026-11-05" },
      { tpp: OTHER, finding: "withdrawn", since: "2026-11-05", found_on: "2026-11-05" },
    ]);
  });

  it("knows the TPPs that had an entry, whatever it said", async () => {
    for (const [finding, hasEntry] of [
      ["authorised", true],
      ["withdrawn", true],
      ["unclear", true],
      ["absent", false],
      ["exempt", false],
    ] as const) {
      await one.finishDay("2026-11-05", found([TPP, finding], [OTHER, "absent"]));
      expect(await other.tppsWithEntry(), finding).to.deep.equal(hasEntry ? [TPP] : []);
    }
  });

  it("gives a finished day out again, once, when a TPP appears that was never looked up, and names only that", async () => {
    const newcomer = parseOrganisationIdentifier("PSDCZ-CNB-99000033");
    await one.takeDay("2026-11-06");
    await one.finishDay("2026-11-06", found([TPP, "authorised"], [OTHER, "withdrawn"]));
    expect(await takenBy("2026-11-06"), "all were looked up").to.equal(0);
    await remember(newcomer);
    expect(await other.tppsToLookUp("2026-11-06")).to.deep.equal([newcomer]);
    expect(await takenBy("2026-11-06")).to.equal(1);
    await other.finishDay("2026-11-06", found([newcomer, "absent"]));
    expect(await other.tppsToLookUp("2026-11-06")).to.deep.equal([]);
    expect(await takenBy("2026-11-06"), "all were looked up again").to.equal(0);
    expect(await other.tppsToLookUp("2026-11-07")).to.deep.equal([TPP, newcomer, OTHER]);
  });

  it("does not give a day out again to one who asks while it is being finished", async () => {
    const day = "2026-11-08";
    const newcomer = parseOrganisationIdentifier("PSDCZ-CNB-99000044");
    await remember(newcomer);
    await one.takeDay(day);
    const waiting = async () =>
      (
        await sql(
          "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
        )
      ).length;
    const holder = await databases[0].pool.connect();
    await holder.query("BEGIN");
    await holder.query("SELECT FROM tpp_register_check WHERE day = $1 FOR UPDATE", [day]);
    const finished = one.finishDay(day, found([newcomer, "absent"]));
    await eventually(async () => (await waiting()) === 1);
    const taken = other.takeDay(day);
    await eventually(async () => (await waiting()) === 2);
    await holder.query("COMMIT");
    holder.release();
    await finished;
    expect(await taken).to.equal(false);
  });
});
