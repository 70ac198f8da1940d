import { expect } from "chai";
import { eventually } from "../../support/eventually.ts";
import type { RawAnswer } from "../../support/raw-https.ts";
import { answerPage, enrolPasskey } from "../passkeys/enrol-passkey.ts";
import { openBrowser, type PsuBrowser } from "../psu-browser.ts";
import { type RunningAuth, runAuth } from "../running-auth.ts";

const PLACE = "/authenticator?lang=en";

interface Row {
  readonly action: string;
  readonly request_id: string | null;
  readonly details: string;
}

describe("Refused sign-ins in the audit log of a running server", function refusedSignIns() {
  this.timeout(120_000);
  let auth: RunningAuth;
  let browser: PsuBrowser;
  let page: RawAnswer;
  before(async () => {
    auth = await runAuth();
    browser = openBrowser(auth);
    page = await browser.get(PLACE);
  });
  after(() => auth.stop());

  const rowsOf = (subject: string) =>
    auth.database.run<Row>({
      name: "refused-of",
      text: "SELECT action, request_id, details FROM audit_entry WHERE subject = $1 ORDER BY id",
      values: [subject],
    });
  const tryAs = (username: string) =>
    browser.post(page, "sign-in", { username, password: "wrong", one_time_code: "000000" });

  it("are recorded at most sixty times a minute for unknown usernames, and always for a known PSU", async () => {
    for (let index = 0; index < 65; index += 1) expect((await tryAs(`nobody-${index}`)).status).to.equal(422);
    expect(await rowsOf("unknown")).to.have.length(60);
    const calls: unknown[] = [];
    for (let index = 0; index < 4; index += 1) {
      expect((await tryAs("petr")).status).to.equal(422);
      calls.push(auth.logLines.findLast(({ msg }) => msg === "call")?.requestId);
    }
    const rows = await rowsOf("psu-petr");
    expect(rows.map(({ action }) => action)).to.deep.equal(Array(4).fill("psu.sign_in_refused"));
    expect(rows.map(({ request_id: id }) => id)).to.deep.equal(calls);
  });

  it("show, of fifty tries at once, five failures, five tries during the block, and a count of the rest", async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => tryAs("jana")));
    expect(answers.filter(({ status }) => status === 422)).to.have.length(5);
    const actions = async () => (await rowsOf("psu-jana")).map(({ action }) => action).toSorted();
    const atOnce = [...Array(5).fill("psu.sign_in_blocked"), ...Array(5).fill("psu.sign_in_refused")];
    expect(await actions()).to.deep.equal(atOnce);
    auth.clock.advance(60_000);
    await eventually(async () => (await rowsOf("psu-jana")).length > atOnce.length);
    const rows = await rowsOf("psu-jana");
    expect(rows.at(-1)).to.deep.include({ action: "psu.sign_ins_unrecorded", request_id: null });
    const unrecorded = rows.map(({ details }) => Number(JSON.parse(details).unrecordedBefore));
    expect(atOnce.length + unrecorded.reduce((sum, each) => sum + each, 0)).to.equal(50);
  });

  it("name the PSU whose passkey was answered wrongly: five refused, then blocked (RTS Article 4(3)(b))", async () => {
    const { authenticator } = await enrolPasskey(auth, "petr");
    const before = (await rowsOf("psu-petr")).length;
    let last = page;
    for (let attempt = 0; attempt < 7; attempt += 1) {
      const asked = await browser.get(PLACE);
      last = await browser.post(asked, "sign-in", answerPage(asked, authenticator, { signature: true }));
    }
    expect(last.status).to.equal(429);
    const refused = (await rowsOf("psu-petr"))
      .slice(before)
      .map(({ action }) => action)
      .filter((each) => /sign_in_/.test(each));
    expect(refused).to.deep.equal([
      ...Array(5).fill("psu.sign_in_refused"),
      ...Array(2).fill("psu.sign_in_blocked"),
    ]);
  });

  it("cost the same statements for known and unknown PSUs, so that time tells nothing (RTS Article 4(3)(a))", async function sameStatements() {
    // A hundred sign-ins, each with its hash: that they never end is what it is for.
    this.timeout(600_000);
    const slow = await runAuth({}, undefined, { tunnelled: true });
    try {
      const visitor = openBrowser(slow);
      const form = await visitor.get(PLACE);
      const statementsOf = async (username: string) => {
        const before = slow.statements.length;
        await visitor.post(form, "sign-in", { username, password: "wrong", one_time_code: "000000" });
        return slow.statements.slice(before).filter((name) => /^(sandbox-|sign-in-|psu-block)/.test(name));
      };
      /** Of five failures and then many tries during the block. */
      const stagesOf = async (username: string) => {
        const stages: (readonly string[])[] = [];
        for (let index = 0; index < 15; index += 1) stages.push(await statementsOf(username));
        return stages;
      };
      const known = await stagesOf("jana");
      expect(await stagesOf("nobody-within")).to.deep.equal(known);
      for (let index = 0; index < 60; index += 1) await statementsOf(`nobody-${index}`);
      expect(await stagesOf("nobody-beyond")).to.deep.equal(known);
      expect(known.every((names) => names.at(-1) === "sign-in-record-refused")).to.equal(true);
    } finally {
      await slow.stop();
    }
  });
});
