import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { until } from "../../support/eventually.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { type RunningAuth, runAuth } from "../running-auth.ts";
import { APPLICATIONS, register } from "../test-application.ts";
import { registerEntry, writeRegister } from "./register-file.ts";

const TPP = "PSDCZ-CNB-99000011";
const SECOND_TPP = "PSDSK-NBS-99000022";
const ENDED = { changes: ["2019-04-12", "2020-01-31"] };

const WARNING = 40;

const entriesOf = (version: string, entries: readonly Record<string, unknown>[]) =>
  entries.map((entry) => ({ ...entry, __EBA_EntityVersion: version }));
const versionOn = (moment: Date) => `${moment.toISOString().slice(0, 10).replaceAll("-", "")}120000000`;

describe("The daily check of the TPP register", function daily() {
  this.timeout(120_000);
  const folder = temporaryFolder();
  const path = join(folder.path, "register.json");
  let first: RunningAuth;
  before(async () => {
    // Both TPPs have called before anything is looked up.
    first = await runAuth();
    await register(first);
    await register(first, { scopes: ["aisp"] }, "second-tpp");
  });
  after(async () => {
    await first.stop();
    folder.remove();
  });

  const write = (...entries: readonly Record<string, unknown>[]) =>
    writeRegister(path, entriesOf(versionOn(first.clock.now()), entries));
  const sql = async (text: string) => (await first.database.pool.query(text)).rows;
  const findings = async () => {
    const rows = await sql("SELECT organisation_identifier AS tpp, finding FROM tpp_register_finding");
    return Object.fromEntries(rows.map(({ tpp, finding }) => [tpp, finding]));
  };
  const statusOf = async (certificate: string) =>
    (await first.call({ certificate, path: APPLICATIONS })).status;

  /** What one more process does that starts on a day on which nobody has looked yet. */
  async function startOnNewDay<T>(
    changed: Readonly<Record<string, string>>,
    look: (second: RunningAuth) => Promise<T>,
  ): Promise<T> {
    await sql("DELETE FROM tpp_register_check");
    await sql("UPDATE tpp_register_finding SET found_on = found_on - 1");
    const second = await runAuth({ TPP_REGISTER_FILE: path, ...changed }, first);
    try {
      return await look(second);
    } finally {
      await second.stop();
    }
  }
  const finished = async () => {
    const [row] = await sql("SELECT count(*) AS days FROM tpp_register_check WHERE finished_at IS NOT NULL");
    return row?.days === 1n;
  };
  const check = (changed: Readonly<Record<string, string>> = {}) =>
    startOnNewDay(changed, async (second) => {
      await until(finished, "the register was checked");
      return second.logLines.filter(({ finding, level }) => finding !== undefined && level === WARNING);
    });
  const refusalOf = (changed: Readonly<Record<string, string>> = {}) =>
    startOnNewDay(changed, async (second) => {
      const line = () => second.logLines.find(({ refusal }) => String(refusal).startsWith("register_"));
      await until(() => line() !== undefined, "the register was refused");
      return line()?.refusal;
    });

  const figuresOf = async ({ ports }: RunningAuth) =>
    (await fetch(`http://127.0.0.1:${ports.operator}/metrics`)).text();
  const figuresOfCheck = (changed: Readonly<Record<string, string>> = {}) =>
    startOnNewDay(changed, async (second) => {
      await until(finished, "the register was checked");
      return figuresOf(second);
    });

  it("stores what the register says of each TPP, and warns of all but the authorised and the exempt", async () => {
    write(registerEntry());
    const lines = await check();
    expect(await findings()).to.deep.equal({ [TPP]: "authorised", [SECOND_TPP]: "absent" });
    expect(lines.map(({ tpp }) => tpp)).to.deep.equal([SECOND_TPP]);
    expect(await check({ TPP_REGISTER_EXEMPT: `PSDDE-BAFIN-1, ${SECOND_TPP}` })).to.deep.equal([]);
    expect(await findings()).to.deep.equal({ [TPP]: "authorised", [SECOND_TPP]: "exempt" });
  });

  it("by default only warns of an authorisation that has ended", async () => {
    write(registerEntry(ENDED));
    const [line] = await check();
    expect(line).to.include({ tpp: TPP, finding: "withdrawn" });
    expect(await findings()).to.include({ [TPP]: "withdrawn" });
    expect(await statusOf("aisp-pisp")).to.equal(200);
  });

  it("blocks withdrawn TPPs but no absent ones if configured so, and releases those that are back", async () => {
    write(registerEntry(ENDED));
    await check({ TPP_REGISTER_POLICY: "block" });
    expect(await statusOf("aisp-pisp")).to.equal(401);
    expect(first.lastCall().refusal).to.equal("tpp_blocked");
    expect(await statusOf("second-tpp")).to.equal(200);
    write(registerEntry({ owner: "SK_NBS", reference: "99000022" }));
    await check({ TPP_REGISTER_POLICY: "block" });
    expect(await statusOf("aisp-pisp"), "absent is no proof of return").to.equal(401);
    write(registerEntry({ changes: [...ENDED.changes, "2020-02-29"] }));
    await check({ TPP_REGISTER_POLICY: "block" });
    expect(await statusOf("aisp-pisp")).to.equal(200);
  });

  it("takes its blocks back when the policy becomes to warn, or the TPP exempt", async () => {
    for (const changed of [
      { TPP_REGISTER_POLICY: "warn" },
      { TPP_REGISTER_POLICY: "block", TPP_REGISTER_EXEMPT: TPP },
    ]) {
      write(registerEntry(ENDED));
      await check({ TPP_REGISTER_POLICY: "block" });
      expect(await statusOf("aisp-pisp")).to.equal(401);
      await check(changed);
      expect(await statusOf("aisp-pisp")).to.equal(200);
    }
  });

  it("takes its blocks back on the same day too, and when no register is configured any more", async () => {
    for (const changed of [
      { TPP_REGISTER_POLICY: "warn" },
      { TPP_REGISTER_POLICY: "block", TPP_REGISTER_EXEMPT: TPP },
      { TPP_REGISTER_FILE: "" },
    ]) {
      write(registerEntry(ENDED));
      await check({ TPP_REGISTER_POLICY: "block" });
      expect(await statusOf("aisp-pisp")).to.equal(401);
      const sameDay = await runAuth({ TPP_REGISTER_FILE: path, ...changed }, first);
      await until(async () => (await statusOf("aisp-pisp")) === 200, "it is released");
      await until(
        () => sameDay.logLines.some(({ msg }) => msg === "the TPP register no longer blocks a TPP"),
        "that is told",
      );
      await sameDay.stop();
    }
  });

  it("leaves the operator's blocks alone", async () => {
    await sql(`INSERT INTO stop_list_block (kind, key, origin, reason, blocked_by)
      VALUES ('organisation', '${TPP}', 'operator', 'fraud', 'jana')`);
    write(registerEntry());
    await check({ TPP_REGISTER_POLICY: "block" });
    expect(await statusOf("aisp-pisp")).to.equal(401);
    await sql(
      "UPDATE stop_list_block SET released_by = 'jana', released_at = now() WHERE origin = 'operator'",
    );
  });

  it("reports a missing, old or unreadable file, and blocks nobody", async () => {
    rmSync(path);
    expect(await refusalOf({ TPP_REGISTER_POLICY: "block" })).to.equal("register_missing");
    writeFileSync(path, "<html>Service unavailable</html>");
    expect(await refusalOf({ TPP_REGISTER_POLICY: "block" })).to.equal("register_unreadable");
    writeRegister(path, [registerEntry({ ...ENDED, version: "20200101000000000" })]);
    expect(await refusalOf({ TPP_REGISTER_POLICY: "block" })).to.equal("register_old");
    expect(await statusOf("aisp-pisp")).to.equal(200);
    expect(await finished()).to.equal(false);
  });

  it("refuses a file with none of the TPPs that the last one had, and leaves the day for the right one", async () => {
    write(registerEntry());
    await check();
    const before = await findings();
    write(registerEntry({ owner: "AT_FMA", reference: "1" }));
    expect(await refusalOf({ TPP_REGISTER_POLICY: "block" })).to.equal("register_unreadable");
    expect(await finished()).to.equal(false);
    expect(await findings()).to.deep.equal(before);
    await check({ TPP_REGISTER_EXEMPT: TPP });
    expect(await findings()).to.deep.equal({ [TPP]: "exempt", [SECOND_TPP]: "absent" });
  });

  it("reports checks, failures and findings as metrics", async () => {
    write(registerEntry(ENDED));
    const text = await figuresOfCheck();
    expect(text).to.match(/tpp_register_checks_total\{outcome="finished",service="auth"\} 1/);
    expect(text).to.match(/tpp_register_findings_total\{finding="withdrawn",service="auth"\} 1/);
    rmSync(path);
    const missing = /tpp_register_checks_total\{outcome="register_missing",service="auth"\} [1-9]/;
    await startOnNewDay({}, (second) =>
      until(async () => missing.test(await figuresOf(second)), "the missing register is counted"),
    );
  });

  it("counts withdrawn TPPs that may still call, and none that is blocked", async () => {
    const served = async (changed: Readonly<Record<string, string>> = {}) =>
      /^tpp_register_served_total\{.*\} (\d+)$/m.exec(await figuresOfCheck(changed))?.[1];
    write(registerEntry(ENDED));
    expect(await served()).to.equal("1");
    expect(await served({ TPP_REGISTER_POLICY: "block" })).to.equal("0");
    await sql(`INSERT INTO stop_list_block (kind, key, origin, reason, blocked_by)
      VALUES ('organisation', '${TPP}', 'operator', 'licence withdrawn', 'jana')`);
    expect(await served()).to.equal("0");
  });
});

describe("A TPP that calls for the first time after the daily check", function newcomer() {
  this.timeout(120_000);

  it("is checked alone on the same day, and blocked when its authorisation has ended (CRT-15)", async () => {
    const folder = temporaryFolder();
    const path = join(folder.path, "register.json");
    const first = await runAuth();
    const gone = registerEntry({ owner: "SK_NBS", reference: "99000022", ...ENDED });
    writeRegister(path, entriesOf(versionOn(first.clock.now()), [registerEntry(), gone]));
    const settings = { TPP_REGISTER_FILE: path, TPP_REGISTER_POLICY: "block" };
    /** What a process that starts has found, by its figures, when the finding of this TPP is kept. */
    const look = async (tpp: string) => {
      const auth = await runAuth(settings, first);
      const text = "SELECT finding FROM tpp_register_finding WHERE organisation_identifier = $1";
      const isKept = async () => (await first.database.pool.query(text, [tpp])).rows.length === 1;
      await until(isKept, "what was found is kept");
      const figures = await (await fetch(`http://127.0.0.1:${auth.ports.operator}/metrics`)).text();
      await auth.stop();
      return figures.match(/(?<=^tpp_register_findings_total\{finding=")\w+(?=".*\} [1-9]\d*$)/gm);
    };
    await register(first);
    expect(await look(TPP)).to.deep.equal(["authorised"]);
    const list = () => first.call({ certificate: "second-tpp", path: APPLICATIONS });
    expect((await list()).status).to.equal(200);
    expect(await look(SECOND_TPP)).to.deep.equal(["withdrawn"]);
    await until(async () => (await list()).status === 401, "the TPP is refused");
    expect(first.lastCall().refusal).to.equal("tpp_blocked");
    await first.stop();
    folder.remove();
  });
});
