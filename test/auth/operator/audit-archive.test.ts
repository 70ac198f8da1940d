import { MIGRATIONS_DIRECTORY } from "@cobs/auth";
import { runOperatorCommand } from "@cobs/auth/operator";
import { openDatabase, Secret } from "@cobs/service-edge";
import { expect } from "chai";
import { eventually } from "../../support/eventually.ts";
import { freePort } from "../../support/free-port.ts";
import { readableLog } from "../../support/readable-log.ts";
import { createMigratedTestDatabase, PATIENT } from "../../support/test-databases.ts";
import { type OperatorScene, openOperatorScene } from "./operator-scene.ts";

const OLD = `INSERT INTO audit_entry (recorded_at, actor_kind, actor, action, subject_kind, subject, details)
  VALUES (now() - interval '2000 days', 'psu', 'psu-old', 'consent.given', 'consent', 'old', '{}')`;

/** One whose first entries are old, and whose others will be young. */
async function makeOldDatabase(): Promise<string> {
  const url = await createMigratedTestDatabase(MIGRATIONS_DIRECTORY);
  const { log } = readableLog();
  const options = { maxConnections: 1, applicationName: "test", log, timeLimits: PATIENT };
  const database = openDatabase({ url: new Secret(url), ...options });
  for (const subject of ["'oldest'", "'old'"])
    await database.run({ name: "", text: OLD.replace("'old'", subject), values: [] });
  await database.close();
  return url;
}

const optionsOf = ({ sequence, hash }: { readonly sequence?: unknown; readonly hash?: unknown }) => [
  "--sequence",
  String(sequence),
  "--hash",
  String(hash),
];

describe("The order to archive the audit log", function auditArchive() {
  this.timeout(120_000);
  let scene: OperatorScene;
  let port: number;
  before(async () => {
    port = await freePort();
    scene = await openOperatorScene(
      { BANK_PORT: String(port), BANK_URL: `https://localhost:${port}` },
      { ownDatabase: await makeOldDatabase() },
    );
  });
  after(() => scene.stop());

  async function operator(...commandLine: readonly string[]) {
    const { bank, privateCaFile } = scene.auth.certificates;
    const environment = {
      OPERATOR_URL: `https://localhost:${port}`,
      OPERATOR_CERTIFICATE_FILE: bank.operator.certificateFile,
      OPERATOR_KEY_FILE: bank.operator.keyFile,
      BANK_AUTHORITY_FILE: privateCaFile,
    };
    const said = { stdout: "", stderr: "" };
    const sink = (stream: keyof typeof said) => ({
      write: (text: string) => {
        said[stream] += text;
      },
    });
    const streams = { stdout: sink("stdout"), stderr: sink("stderr") };
    return { exitCode: await runOperatorCommand({ environment, commandLine, ...streams }), ...said };
  }

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

  it("ends the keeping of old exported entries, and is recorded with the operator", async () => {
    const place = await sealedPlaceOf("oldest");
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

  it("takes the last line of an export of archivable entries, whose number a refusal tells", async () => {
    const before = (await scene.order("GET", "/audit/check")).json.from;
    const old = await sealedPlaceOf("old");
    await scene.order("GET", "/psus/psu-petr");
    await sealedPlaceOf("psu-petr");
    const exported = await operator("audit", "export", "--archivable");
    expect(exported).to.include({ exitCode: 0, stderr: `${old.sequence} of ${old.sequence}\n` });
    const lines = exported.stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines.map(({ entry }) => entry.subject)).to.deep.equal(["old"]);
    const all = (await operator("audit", "export")).stdout.trimEnd().split("\n");
    const young = await operator("audit", "archive", ...optionsOf(JSON.parse(all.at(-1) ?? "")));
    expect(young.exitCode).to.equal(3);
    expect(young.stderr).to.include(`older than 1827 days; the last such entry is ${old.sequence}\n`);
    const check = async (place: object) => (await operator("audit", "check", ...optionsOf(place))).exitCode;
    expect(await check(before)).to.equal(0);
    expect((await operator("audit", "archive", ...optionsOf(lines.at(-1)))).exitCode).to.equal(0);
    expect(await check(old)).to.equal(0);
    expect(await check(before), "known from before the beginning").to.equal(5);
    const nothing = await operator("audit", "export", "--archivable");
    expect(nothing).to.deep.equal({
      exitCode: 3,
      stdout: "",
      stderr: "No entry may be archived yet.\n",
    });
    expect((await operator("audit", "export", "--archivable", "--after", old.sequence)).exitCode).to.equal(3);
    const { detail } = (await scene.order("POST", "/audit/archive", old)).json;
    expect(detail).to.match(/; there is no such entry$/);
  });

  it("is refused for young entries (409), for another hash (409) and when malformed (400)", async () => {
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
