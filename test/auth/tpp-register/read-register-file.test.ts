import { createWriteStream, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { finished } from "node:stream/promises";
import { expect } from "chai";
import { readRegisterFile } from "../../../packages/auth/src/tpp-register/read-register-file.ts";
import { RegisterRefusal } from "../../../packages/auth/src/tpp-register/register-refusal.ts";
import { shareOfLongestTurn } from "../../support/processor-time.ts";
import { rejectionOf } from "../../support/rejection.ts";
import { runScript } from "../../support/run-script.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { registerAgent, registerEntry, type WantedInstitution, writeRegister } from "./register-file.ts";

/** Of reading a large file, in one turn of the event loop. */
const LARGEST_SHARE = 1 / 5;

describe("The file of the EBA's register", () => {
  const folder = temporaryFolder();
  const path = join(folder.path, "register.json");
  after(() => folder.remove());

  const read = (wanted: string, signal = new AbortController().signal) =>
    readRegisterFile({ path, wanted: new Set([wanted]), day: "2026-11-21", signal });
  const standingOf = async (entries: readonly WantedInstitution[], wanted = "PSDCZ-CNB-99000011") => {
    writeRegister(path, entries.map(registerEntry));
    return (await read(wanted)).standings.get(wanted);
  };

  it("tells by the number of past changes whether an authorisation is in force (EBA data specification, ENT_AUT)", async () => {
    const cases: readonly (readonly [unknown, string])[] = [
      [["2019-04-12"], "authorised"],
      ["2019-04-12", "authorised"],
      [["2017-05-30", "2019-07-12"], "withdrawn"],
      [["2017-05-30", "2019-07-12", "2024-07-12"], "authorised"],
      [["2017-05-30", "2019-07-12", "2024-07-12", "2026-11-21"], "withdrawn"],
      [["2017-05-30", "2026-11-22"], "authorised"],
      [["2026-11-22"], "unclear"],
      [["2024-07-12", "2017-05-30"], "unclear"],
      [["2017-05-30", "2017-05-30"], "withdrawn"],
      [["soon"], "unclear"],
      [["2017-05-30", 20190712, "2024-07-12"], "unclear"],
      [["2017-05-30", null, "2024-07-12"], "unclear"],
      [["04/05/2017", "12/07/2019"], "unclear"],
      [[], "unclear"],
      [undefined, "unclear"],
      [[["2019-04-12"]], "unclear"],
    ];
    for (const [changes, expected] of cases)
      expect(await standingOf([{ changes }]), JSON.stringify(changes)).to.equal(expected);
  });

  it("counts a TPP as withdrawn only when all of its entries are", async () => {
    const ended = { changes: ["2017-05-30", "2019-07-12"] };
    expect(await standingOf([{ ...ended, type: "PSD_AISP" }, { type: "PSD_PI" }])).to.equal("authorised");
    expect(await standingOf([{ type: "PSD_PI" }, { ...ended, type: "PSD_AISP" }])).to.equal("authorised");
    expect(await standingOf([ended, { ...ended, type: "PSD_EMI" }])).to.equal("withdrawn");
    expect(await standingOf([ended, { changes: [] }])).to.equal("unclear");
  });

  it("is matched exactly by country, authority and number, with zeros and hyphens (ETSI TS 119 495 GEN-5.2.1-3)", async () => {
    const same: readonly (readonly [WantedInstitution, string])[] = [
      [{ reference: "03570967" }, "PSDCZ-CNB-03570967"],
      [{ owner: "FI_FIN-FSA", reference: "2858394-9" }, "PSDFI-FINFSA-2858394-9"],
      [{ owner: "IE_CBI", code: "IE_CBI!C58301", reference: "627125" }, "PSDIE-CBI-C58301"],
      [{ owner: "IE_CBI", code: "IE_CBI!C58301", reference: "627125" }, "PSDIE-CBI-627125"],
      [{ owner: "FR_ACPR", reference: ["1376"], code: "FR_ACPR!1376" }, "PSDFR-ACPR-1376"],
      [{ reference: " 99000011 ", code: "CZ_CNB!1" }, "PSDCZ-CNB-99000011"],
    ];
    for (const [entry, identifier] of same)
      expect(await standingOf([entry], identifier)).to.equal("authorised");
    const others: readonly (readonly [WantedInstitution, string])[] = [
      [{ reference: "03570967" }, "PSDCZ-CNB-3570967"],
      [{ reference: "3570967" }, "PSDCZ-CNB-03570967"],
      [{ owner: "FI_FIN-FSA", reference: "28583949" }, "PSDFI-FINFSA-2858394-9"],
      [{ owner: "SK_NBS" }, "PSDCZ-CNB-99000011"],
      [{ owner: "nobody" }, "PSDCZ-CNB-99000011"],
      [{ code: "SK_NBS!99000022" }, "PSDCZ-CNB-99000022"],
    ];
    for (const [entry, identifier] of others)
      expect(await standingOf([entry], identifier), identifier).to.equal(undefined);
  });

  it("does not count agents, branches and excluded providers as institutions", async () => {
    for (const type of ["PSD_AG", "PSD_BR", "PSD_EXC", "PSD_NEW"])
      expect(await standingOf([{ type }])).to.equal(undefined);
    for (const type of ["PSD_EMI", "PSD_AISP", "PSD_EPI", "PSD_EEMI", "PSD_ENL"])
      expect(await standingOf([{ type }])).to.equal("authorised");
  });

  it("is as old as its newest entry", async () => {
    writeRegister(path, [
      registerEntry({ version: "20260101000000000" }),
      registerEntry(),
      registerAgent("1"),
    ]);
    expect((await read("PSDCZ-CNB-99000011")).newestDay).to.equal("2026-11-20");
  });

  it("is no newer for an entry dated in the future", async () => {
    writeRegister(path, [registerEntry({ version: "20991231000000000" }), registerEntry()]);
    expect((await read("PSDCZ-CNB-99000011")).newestDay).to.equal("2026-11-20");
  });

  it("is refused when it is missing, cut off anywhere, or something else", async () => {
    const codeOf = async () => {
      const error = await rejectionOf(read("PSDCZ-CNB-99000011"));
      return error instanceof RegisterRefusal ? error.code : error;
    };
    const whole = readFileSync(writeRegister(path, [registerEntry()]), "utf8");
    for (const length of [0, 1, 40, 200, whole.length - 2, whole.length - 1]) {
      writeFileSync(path, whole.slice(0, length));
      expect(await codeOf(), `${length} characters`).to.equal("register_unreadable");
    }
    for (const text of [
      "[]",
      "{}",
      "[[],[]]",
      "[[],{}]",
      "[[],[1,null,[]]]",
      "<html>",
      `${whole}x`,
      '[[],["\u0000',
    ]) {
      writeFileSync(path, text);
      expect(await codeOf(), text).to.equal("register_unreadable");
    }
    const elsewhere = { path: join(folder.path, "none"), wanted: new Set<string>(), day: "2026-11-21" };
    const missing = await rejectionOf(
      readRegisterFile({ ...elsewhere, signal: new AbortController().signal }),
    );
    expect(missing).to.include({ code: "register_missing" });
  });

  it("is read no further when the process stops", async () => {
    writeRegister(
      path,
      Array.from({ length: 20_000 }, (_, index) => registerAgent(String(index))),
    );
    const stopping = new AbortController();
    const reading = rejectionOf(read("PSDCZ-CNB-99000011", stopping.signal));
    stopping.abort(new Error("stopping"));
    expect(await reading).to.have.property("message", "stopping");
  });

  async function writeLarge(agents: number): Promise<void> {
    const file = createWriteStream(path);
    file.write('[[{"disclaimer":"none"}],[');
    for (let index = 0; index < agents; index += 1)
      file.write(`${JSON.stringify(registerAgent(`${index}`))},`);
    file.end(`${JSON.stringify(registerEntry())}]]`);
    await finished(file);
  }

  it("is read in small pieces, so that the event loop never waits for long", async function large() {
    this.timeout(120_000);
    await writeLarge(4_000);
    const share = await shareOfLongestTurn(async () => {
      const { standings } = await read("PSDCZ-CNB-99000011");
      expect(standings.get("PSDCZ-CNB-99000011")).to.equal("authorised");
    }, LARGEST_SHARE);
    expect(share).to.be.lessThan(LARGEST_SHARE);
  });

  // Read as a whole, 11 MB of it need more than 32 MiB.
  it("is read with 24 MiB for the whole process, however large it is", async function large() {
    this.timeout(120_000);
    await writeLarge(40_000);
    const reader = "test/auth/tpp-register/read-alone.ts";
    const options = { NODE_OPTIONS: "--max-old-space-size=24" };
    const { stdout, stderr } = await runScript(reader, [path, "PSDCZ-CNB-99000011"], options);
    expect(stdout, stderr).to.equal("authorised");
  });
});
