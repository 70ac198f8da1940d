import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openDatabase, Secret } from "@cobs/service-edge";
import { expect } from "chai";
import { checkAudit } from "../../packages/auth/src/audit/check-audit-postgres.ts";
import { exportAudit } from "../../packages/auth/src/audit/export-audit-postgres.ts";
import { MIGRATIONS_DIRECTORY } from "../../packages/auth/src/migrations-directory.ts";
import { append, entryOf, forge, sealAll } from "../contracts/audit-entries.ts";
import { readableLog } from "../support/readable-log.ts";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";
import { createMigratedTestDatabase, PATIENT } from "../support/test-databases.ts";

const BIN = "/usr/lib/postgresql/15/bin";
const MANUAL = readFileSync("packages/auth/AUDIT-LOG.md", "utf8");
/** More than an argument of a program can have; the largest entry has more. */
const OCTETS = 140_000;

/** The block of the manual that begins so, as somebody would copy it. */
function blockOf(language: string, beginning: string): string {
  const blocks = MANUAL.split(`\`\`\`${language}\n`).map((text) => text.split("```")[0] ?? "");
  const lines = blocks.find((text) => text.trimStart().startsWith(beginning))?.split("\n") ?? [];
  return lines.map((line) => line.trimStart()).join("\n");
}

describe("An entry of the audit log that somebody has changed", function writeBack() {
  this.timeout(60_000);

  it("is written back with the commands of AUDIT-LOG.md, however large it is and whatever is in it", async () => {
    const url = await createMigratedTestDatabase(MIGRATIONS_DIRECTORY);
    const parts = { applicationName: "write-back", log: readableLog().log, timeLimits: PATIENT };
    const database = openDatabase({ url: new Secret(url), maxConnections: 2, ...parts });
    const text = `it's \\ \n :'line' $1 „ž“ ${"x".repeat(OCTETS)}`;
    await append(database, [entryOf("first"), entryOf('it\'s \\ "quoted" `id`', { text })]);
    await sealAll(database);
    const exported = async () =>
      (await exportAudit(database, { after: undefined, limit: 100 }))?.lines.join("\n");
    const before = (await exported()) ?? "";
    await forge(database, ["UPDATE audit_entry SET details = '{}', subject = 'other' WHERE sequence = 2"]);
    const folder = makeTemporaryFolder("cobs-write-back-");
    writeFileSync(join(folder, "export.jsonl"), `${before}\n`);
    writeFileSync(join(folder, "write-back.sql"), blockOf("sql", "\\set line"));
    const given = { "<number>": "2", "<export>": "export.jsonl", "<url>": `'${url}'` };
    const commands = Object.entries(given).reduce(
      (so, [name, value]) => so.replaceAll(name, value),
      blockOf("sh", "grep"),
    );
    const env = { ...process.env, PATH: `${BIN}:${process.env.PATH}` };
    execFileSync("/bin/sh", ["-e", "-c", commands], { cwd: folder, env, stdio: "pipe" });
    expect(await exported()).to.equal(before);
    expect((await checkAudit(database)).broken).to.equal(undefined);
    await database.close();
  });
});
