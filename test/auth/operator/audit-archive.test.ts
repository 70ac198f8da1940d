import { MIGRATIONS_DIRECTORY } from "@cobs/auth";
import { openDatabase, Secret } from "@cobs/service-edge";
import { expect } from "chai";
import { eventually } from "../../support/eventually.ts";
import { readableLog } from "../../support/readable-log.ts";
import { createMigratedTestDatabase } from "../../support/test-databases.ts";
import { type OperatorScene, openOperatorScene } from "./operator-scene.ts";

const OLD = `INSERT INTO audit_entry (recorded_at, actor_kind, actor, action, subject_kind, subject, details)
  VALUES (now() - interval '2000 days', 'psu', 'psu-old', 'consent.given', 'consent', 'old', '{}')`;

/** One whose first entry is old, and whose others will be young. */
async function makeOldDatabase(): Promise<string> {
  const url = await createMigratedTestDatabase(MIGRATIONS_DIRECTORY);
  const { log } = readableLog();
  const database = openDatabase({ url: new Secret(url), maxConnections: 1, applicationName: "test", log });
  await database.run({ name: "", text: OLD, values: [] });
  await database.close();
  return url;
}

describe("The order to archive the audit log", function auditArchive() {
  this.timeout(120_000);
  let scene: OperatorScene;
  before(async () => {
    scene = await openOperatorScene({}, { ownDatabase: await makeOldDatabase() });
  });
  after(() => scene.stop());

  /** The place of the entry about a subject, as an export tells it; undefined until it is sealed. */
  async function placeOf(subject: string): Promise<{ sequence: string; hash: string } | undefined> {
    const { lines } = (await scene.order("GET", "/audit/export?limit=1000")).json;
    const [found] = lines
      .map((line: string) => JSON.parse(line))
      .filter(({ entry }: { entry: { subject: string } }) => entry.subject === subject);
    return found && { sequence: String(found.sequence), hash: found.hash };
  }

  async function sealedPlaceOf(subject: string) {
    await eventually(async () => (await placeOf(subject)) !== undefined);
    const place = await placeOf(subject);
    if (place === undefined) throw new TypeError("an entry is sealed no more");
    return place;
  }

  it("ends the keeping of what is old and was exported, and is recorded with who gave it", async () => {
    const place = await sealedPlaceOf("old");
    const { status, json, requestId } = await scene.order("POST", "/audit/archive", place);
    expect(status).to.equal(200);
    expect(json).to.deep.equal({ archived: { sequence: Number(place.sequence), hash: place.hash } });
    expect((await scene.order("GET", "/audit/check")).json).to.deep.include({
      broken: null,
      from: json.archived,
    });
    const { entries } = (await scene.order("GET", "/audit?action=audit.archived")).json;
    expect(entries).to.have.length(1);
    expect(entries[0]).to.deep.include({ requestId, details: { hash: place.hash } });
    expect(entries[0].actor).to.include({ kind: "operator", name: "operator" });
    expect((await scene.order("POST", "/audit/archive", place)).status).to.equal(409);
  });

  it("is refused for what is young, for another hash, and in other words", async () => {
    const read = await scene.order("GET", "/psus/psu-jana");
    expect(read.status).to.equal(200);
    const place = await sealedPlaceOf("psu-jana");
    expect((await scene.order("POST", "/audit/archive", place)).json).to.include({ status: 409 });
    await scene.auth.database.run({ name: "", text: OLD.replace("'old'", "'old again'"), values: [] });
    const afterYoung = await scene.order("POST", "/audit/archive", await sealedPlaceOf("old again"));
    expect(afterYoung.json).to.include({ status: 409 });
    const elsewhere = { ...place, hash: "0".repeat(64) };
    expect((await scene.order("POST", "/audit/archive", elsewhere)).status).to.equal(409);
    for (const wrong of [{}, { sequence: "1" }, { ...place, hash: "x" }, { ...place, more: "1" }]) {
      expect((await scene.order("POST", "/audit/archive", wrong)).status, JSON.stringify(wrong)).to.equal(
        400,
      );
    }
  });
});
