import { readFileSync } from "node:fs";
import { runOperatorCommand } from "@cobs/auth/operator";
import { expect } from "chai";
import { eventually } from "../../support/eventually.ts";
import { freePort } from "../../support/free-port.ts";
import { verifyingNobody } from "../../support/verifying-nobody.ts";
import { type RunningAuth, runAuth } from "../running-auth.ts";
import { APPLICATIONS } from "../test-application.ts";

describe("The operator's command", function operatorCommand() {
  this.timeout(120_000);
  let auth: RunningAuth;
  let environment: Readonly<Record<string, string>>;
  before(async () => {
    const port = await freePort();
    auth = await runAuth({
      BANK_CALLERS: "resource=introspect,feed;operator=operator",
      BANK_PORT: String(port),
      BANK_URL: `https://localhost:${port}`,
    });
    const { bank, privateCaFile } = auth.certificates;
    environment = {
      OPERATOR_URL: `https://localhost:${port}`,
      OPERATOR_CERTIFICATE_FILE: bank.operator.certificateFile,
      OPERATOR_KEY_FILE: bank.operator.keyFile,
      BANK_AUTHORITY_FILE: privateCaFile,
    };
  });
  after(() => auth.stop());

  async function operator(line: readonly string[], changed: Readonly<Record<string, string>> = {}) {
    const said = { stdout: "", stderr: "" };
    const sink = (stream: keyof typeof said) => ({
      write: (text: string) => {
        said[stream] += text;
      },
    });
    const exitCode = await runOperatorCommand({
      environment: { ...environment, ...changed },
      commandLine: line,
      stdout: sink("stdout"),
      stderr: sink("stderr"),
    });
    return { exitCode, ...said };
  }
  const organisation = () => auth.tpp("aisp-pisp").organisationIdentifier;
  const list = async () => (await auth.call({ path: APPLICATIONS })).status;

  it("blocks and releases a TPP, and says what is now in force", async () => {
    expect(await list()).to.equal(200);
    const block = ["stop-list", "block", "--tpp", organisation(), "--reason"];
    const blocked = await operator([...block, "fraud"]);
    expect(blocked).to.include({ exitCode: 0, stderr: "" });
    expect(blocked.stdout)
      .to.match(/^In force:\n/)
      .and.to.include(`TPP ${organisation()}`)
      .and.to.include("reason    fraud");
    expect((await operator([...block, "theft"])).stdout)
      .to.match(/^Already in force, with its earlier reason:\n/)
      .and.to.include("reason    fraud");
    const json = JSON.parse((await operator([...block, "theft", "--json"])).stdout);
    expect(json).to.include({ result: "already_blocked" });
    expect(await list()).to.equal(401);
    expect((await operator(["stop-list", "list"])).stdout).to.include(organisation());
    const released = await operator(["stop-list", "release", "--tpp", organisation(), "--reason", "cleared"]);
    expect(released.stdout).to.match(/^Released:\nTPP .*\n.*\n.*\n {2}released {2}.* by operator\n$/);
    expect(await list()).to.equal(200);
    expect((await operator(["stop-list", "list"])).stdout).to.equal("Nothing is blocked.\n");
    expect((await operator(["stop-list", "list", "--history", "--limit", "1"])).stdout).to.include("fraud");
  });

  it("accepts a certificate as a file or as a thumbprint", async () => {
    const { certificateFile, thumbprint } = auth.tpp("aisp");
    const line = ["stop-list", "block", "--certificate", certificateFile, "--reason", "lost", "--json"];
    expect(JSON.parse((await operator(line)).stdout)).to.include({ kind: "certificate", thumbprint });
    expect((await auth.call({ certificate: "aisp", path: APPLICATIONS })).status).to.equal(401);
    expect(
      (await operator(["stop-list", "release", "--certificate", thumbprint, "--reason", "found"])).exitCode,
    ).to.equal(0);
  });

  it("lists, rotates and drops keys, and shows no secret", async () => {
    const signing = async () =>
      /^signing key (\S+): signing$/m.exec((await operator(["keys", "list"])).stdout)?.[1];
    const first = (await signing()) ?? "";
    const rotated = await operator(["keys", "rotate"]);
    expect(rotated.stdout).to.match(
      /^Announced:\nsigning key \S+: announced\n {2}announced .* by operator\n/,
    );
    expect(await operator(["keys", "rotate", "signing"])).to.include({ exitCode: 3 });
    expect((await operator(["keys", "rotate", "cookie", "--json"])).stdout).to.include('"use":"cookie"');
    expect((await operator(["keys", "rotate", "tls"])).exitCode).to.equal(2);
    expect((await operator(["keys", "drop", first])).exitCode).to.equal(2);
    const dropped = await operator(["keys", "drop", first, "--reason", "a copy of a backup"]);
    expect(dropped).to.include({ exitCode: 0, stderr: "" });
    expect(dropped.stdout)
      .to.match(/^Dropped:\nsigning key \S+: gone\n/)
      .and.to.include("dropped   by operator");
    const search = await operator([
      "audit",
      "search",
      "--subject",
      first,
      "--action",
      "key.dropped",
      "--json",
    ]);
    expect(JSON.parse(search.stdout).entries[0].details).to.include({ note: "a copy of a backup" });
    expect(await signing()).not.to.equal(first);
    expect((await operator(["keys", "list"])).stdout).not.to.include(first);
    expect((await operator(["keys", "list", "--history"])).stdout).to.include(`signing key ${first}: gone`);
    expect((await operator(["keys", "drop", first, "--reason", "again"])).exitCode).to.equal(3);
    for (const { kid, ...key } of JSON.parse((await operator(["keys", "list", "--json"])).stdout).keys)
      expect(JSON.stringify(key), kid).not.to.match(/[A-Za-z0-9_-]{30,}/);
  });

  it("explains a refusal, for people and as JSON", async () => {
    const answer = await auth.call({ certificate: "wrong-expired", path: APPLICATIONS });
    const requestId = String(answer.headers["x-request-id"]);
    await eventually(async () => (await operator(["refusal", requestId])).exitCode === 0);
    expect((await operator(["refusal", requestId])).stdout).to.include("REFUSED with certificate_expired");
    const json = JSON.parse((await operator(["refusal", requestId, "--json"])).stdout);
    expect(json.refusals[0]).to.include({ service: "auth", code: "certificate_expired" });
  });

  it("shows what it found at auth, and says that resource could not be reached", async () => {
    const answer = await auth.call({ certificate: "wrong-qsealc", path: APPLICATIONS });
    const line = ["refusal", String(answer.headers["x-request-id"])];
    await eventually(async () => (await operator(line)).exitCode === 0);
    const nobody = { RESOURCE_BANK_URL: `https://localhost:${await freePort()}` };
    const found = await operator(line, nobody);
    expect(found.exitCode).to.equal(0);
    expect(found.stdout)
      .to.match(/^At auth:\n\nRequest /)
      .and.to.include("REFUSED with qc_type_not_web");
    expect(found.stderr).to.match(
      /cannot be reached: .+\nCheck that resource is running, that RESOURCE_BANK_URL/,
    );
    expect((await operator(["refusal", "unknown"], nobody)).exitCode).to.equal(4);
  });

  it("says for an unknown request id that resource was not asked, when it is not configured", async () => {
    expect(await operator(["refusal", "unknown"])).to.deep.equal({
      exitCode: 3,
      stdout: "",
      stderr:
        'auth does not have a refused certificate for request "unknown"\nResource was not asked: RESOURCE_BANK_URL is not set.\n',
    });
  });

  it("exits with 3 and auth's own message when auth refuses", async () => {
    const line = ["stop-list", "release", "--tpp", "PSDCZ-CNB-1", "--reason", "r"];
    const { exitCode, stderr, stdout } = await operator(line);
    expect([exitCode, stdout]).to.deep.equal([3, ""]);
    expect(stderr).to.match(/^auth refused \(404\): Not blocked: /);
    const { bank } = auth.certificates;
    const files = {
      OPERATOR_CERTIFICATE_FILE: bank.resource.certificateFile,
      OPERATOR_KEY_FILE: bank.resource.keyFile,
    };
    expect(await operator(["stop-list", "list"], files)).to.include({
      exitCode: 3,
      stderr: "auth refused (403): Not allowed: this caller does not have the right to do this\n",
    });
  });

  it("exits with 4 and a hint when auth cannot be reached, or is not trusted", async () => {
    const nobody = { OPERATOR_URL: `https://localhost:${await freePort()}` };
    const wrongAuthority = { BANK_AUTHORITY_FILE: auth.certificates.caFile };
    const list = (changed: Readonly<Record<string, string>>) => operator(["stop-list", "list"], changed);
    for (const listing of [
      () => list(nobody),
      () => list(wrongAuthority),
      () => verifyingNobody(() => list(wrongAuthority)),
    ]) {
      const { exitCode, stderr } = await listing();
      expect(exitCode).to.equal(4);
      expect(stderr).to.match(/cannot be reached: .+\nCheck that auth is running/);
    }
  });

  it("blocks, shows and releases a PSU, and finds what was done in the audit log", async () => {
    expect((await operator(["psu", "show", "psu-petr"])).stdout).to.match(/^blocked +false$/m);
    const line = ["psu", "block", "psu-petr", "--reason", "fraud case 3"];
    expect((await operator(line)).stdout).to.match(/^result +blocked$/m);
    expect((await operator(line)).stdout).to.match(/^result +already_blocked$/m);
    expect((await operator(["psu", "release", "psu-petr", "--reason", "cleared"])).stdout).to.match(
      /^releasedBy +operator$/m,
    );
    expect((await operator(["psu", "release", "psu-petr", "--reason", "cleared"])).exitCode).to.equal(3);
    const search = ["audit", "search", "--subject", "psu-petr", "--action", "psu.blocked"];
    expect((await operator(search)).stdout)
      .to.match(/^WHEN +WHO +WHAT +TO WHAT/)
      .and.to.include("fraud case 3");
    expect(JSON.parse((await operator([...search, "--json"])).stdout).entries).to.have.lengthOf(1);
    expect((await operator(["psu", "block", "psu-nobody", "--reason", "r"])).exitCode).to.equal(3);
  });

  it("lists in tables, page by page, and says how to continue", async () => {
    await auth.call({ certificate: "aisp", path: APPLICATIONS });
    await auth.call({ certificate: "second-tpp", path: APPLICATIONS });
    const first = await operator(["tpps", "list", "--limit", "1"]);
    expect(first.stdout).to.match(/^TPP +NAME +ROLES +APPLICATIONS +BLOCKS\nPSD/);
    const after = /^Next page: --after (\S+)$/m.exec(first.stdout)?.[1] ?? "";
    const next = await operator(["tpps", "list", "--after", after, "--search", "psd"]);
    expect(next.exitCode).to.equal(0);
    expect(next.stdout).not.to.include(`${after} `);
    expect((await operator(["consents", "list", "--psu", "psu-petr"])).stdout).to.equal(
      "No consents found.\n",
    );
  });

  it("exports no faster than it is read, so that it does not hold the log for a slow reader", async () => {
    let [held, most, lines] = [0, 0, 0];
    const stdout = {
      write: () => {
        held += 1;
        lines += 1;
        most = Math.max(most, held);
        return false;
      },
      once: (_event: "drain", resume: () => void) =>
        setImmediate(() => {
          held = 0;
          resume();
        }),
    };
    const commandLine = ["audit", "export"];
    const stderr = { write: () => true };
    expect(await runOperatorCommand({ environment, commandLine, stdout, stderr })).to.equal(0);
    expect(lines).to.be.greaterThan(1);
    expect(most).to.equal(1);
  });

  it("checks the audit log, and exports it so that another run can continue", async () => {
    const sealed = async () => JSON.parse((await operator(["audit", "check", "--json"])).stdout);
    await eventually(async () => (await sealed()).intactThrough.sequence > 0);
    expect((await operator(["audit", "check"])).stdout).to.match(/^The chain is intact\.\n/);
    const exported = await operator(["audit", "export"]);
    expect(exported.exitCode).to.equal(0);
    expect(exported.stderr).to.match(/^(\d+) of \1\n$/);
    const lines = exported.stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines.map(({ sequence }) => sequence)).to.deep.equal(lines.map((_, at) => at + 1));
    const { sequence, hash } = lines.at(-1) ?? {};
    const known = ["--sequence", String(sequence), "--hash", hash];
    expect((await operator(["audit", "check", ...known])).exitCode).to.equal(0);
    const forged = ["--sequence", String(sequence), "--hash", "0".repeat(64)];
    const broken = await operator(["audit", "check", ...forged]);
    expect(broken).to.include({ exitCode: 5, stdout: "" });
    expect(broken.stderr).to.match(/^The chain is broken\.\nbroken +sequence \d+ · fault rewritten\n/);
    const { message, ...found } = JSON.parse(
      (await operator(["audit", "check", ...forged, "--json"])).stdout,
    );
    expect([message, found.broken]).to.deep.equal(["The chain is broken.", { sequence, fault: "rewritten" }]);
    const rest = await operator(["audit", "export", "--after", String(sequence - 1)]);
    expect(JSON.parse(rest.stdout.split("\n")[0] ?? "").sequence).to.equal(sequence);
    expect((await operator(["audit", "export", "--after", "99999"])).exitCode).to.equal(3);
    const wrong = "auth refused (400): The request is invalid: after must be a whole number\n";
    expect((await operator(["audit", "export", "--after", "x"])).stderr).to.equal(wrong);
    const toProgram = await operator(["audit", "export", "--after", String(sequence - 1), "--json"]);
    expect(toProgram).to.include({ exitCode: 0, stderr: "" });
    expect(toProgram.stdout.split("\n")[0]).to.equal(rest.stdout.split("\n")[0]);
  });

  it("checks an audit log of more entries than one answer covers", async () => {
    const entries = 10_100;
    await auth.database.run({
      name: "",
      text: `INSERT INTO audit_entry (actor_kind, actor, action, subject_kind, subject, details)
        SELECT 'psu', 'psu', 'psu.signed_in', 'psu', 'psu', '{}' FROM generate_series(1, $1)`,
      values: [entries],
    });
    const check = async () => JSON.parse((await operator(["audit", "check", "--json"])).stdout);
    const unsealed = { name: "", text: "SELECT FROM audit_entry WHERE sequence IS NULL LIMIT 1", values: [] };
    await eventually(async () => (await auth.database.run(unsealed)).length === 0);
    const answers = () =>
      auth.logLines.filter(({ route, status }) => route === "/operator/audit/check" && status === 200).length;
    const before = answers();
    const { next, broken, intactThrough } = await check();
    await eventually(() => answers() >= before + 2);
    expect({ next, broken }).to.deep.equal({ next: undefined, broken: null });
    expect(intactThrough.sequence).to.be.greaterThan(entries);
    const beyond = ["--sequence", String(intactThrough.sequence + 10_000), "--hash", "0".repeat(64)];
    expect((await operator(["audit", "check", ...beyond])).stderr).to.match(/ fault missing\n/);
  });

  it("gives, lists and ends consents to card issuers", async () => {
    const about = ["--account", "account-1", "--iban", "CZ6508000000192000145399"];
    const give = ["card-consents", "give", "--psu", "psu-jana", "--tpp", "PSDCZ-CNB-70000009"];
    const given = await operator([...give, "--tpp-name", "Karty, a.s.", ...about]);
    expect(given).to.include({ exitCode: 0, stderr: "" });
    const [, id = ""] = /^cardConsentId +(\S{22})$/m.exec(given.stdout) ?? [];
    expect(given.stdout)
      .to.match(/^result +given$/m)
      .and.include("Karty, a.s.");
    expect((await operator([...give, ...about])).stdout).to.match(/^result +already_given$/m);
    const listed = await operator(["card-consents", "list", "--psu", "psu-jana", "--state", "active"]);
    expect(listed.stdout).to.include(id).and.include("PSDCZ-CNB-70000009");
    const end = ["card-consents", "end", id, "--reason", "asked", "--on-behalf-of", "psu"];
    expect((await operator(end)).stdout).to.match(/^endReason +withdrawn$/m);
    expect((await operator(["card-consents", "end", "A".repeat(22), "--reason", "r"])).exitCode).to.equal(3);
    expect((await operator(["card-consents", "give", "--psu", "psu-jana"])).exitCode).to.equal(2);
  });

  it("exits with 2 and a message for a wrong command line", async () => {
    const wrong = [
      ["stop-list", "block", "--tpp", "PSDCZ-CNB-1"],
      ["stop-list", "block", "--reason", "r"],
      ["stop-list", "block", "--tpp", "PSDCZ-CNB-1", "--certificate", "A", "--reason", "r"],
      ["stop-list", "release", "--certificate", "no-such-file", "--reason", "r"],
      ["stop-list", "release", "--tpp", "PSDCZ-CNB-1"],
      ["psu", "release", "psu-petr"],
      ["stop-list", "list", "--limit"],
      ["refusal"],
      ["stop-lst"],
    ];
    for (const line of wrong) {
      const { exitCode, stderr } = await operator(line);
      expect(exitCode, line.join(" ")).to.equal(2);
      expect(stderr, line.join(" ")).not.to.equal("");
    }
    const help = await operator(["--help"]);
    expect(help.exitCode).to.equal(0);
    for (const meaning of ["3 refused or not found", "5 the audit chain is broken or its export incomplete"])
      expect(help.stdout).to.include(meaning);
  });

  for (const [line, exitCode, error, words] of [
    [["stop-lst"], 2, "usage", "unknown command 'stop-lst'"],
    [["stop-list", "block", "--reason", "r"], 2, "usage", "--tpp"],
    [["card-consents", "end", "A".repeat(22), "--reason", "r"], 3, "not_found", ""],
    [["audit", "check", "--sequence", "1", "--hash", "0".repeat(64)], 5, "broken", "The chain is broken."],
    [["audit", "export", "--after", "x"], 3, "refused", "after must be a whole number"],
  ] as const)
    it(`says with --json why \`${line.slice(0, 2).join(" ")}\` exits with ${exitCode}, in one object`, async () => {
      const ended = await operator([...line, "--json"]);
      expect(ended).to.include({ exitCode, stderr: "" });
      const told = JSON.parse(ended.stdout);
      expect(told).to.include({ error });
      expect(told.message).to.include(words).and.not.equal("");
    });

  it("reports with --json a wrong configuration, and that nobody answers", async () => {
    const missing = await operator(["stop-list", "list", "--json"], { OPERATOR_KEY_FILE: "" });
    expect(missing).to.include({ exitCode: 78, stderr: "" });
    expect(JSON.parse(missing.stdout))
      .to.have.keys("error", "message")
      .and.include({ error: "configuration" });
    const nobody = await operator(["stop-list", "list", "--json"], { OPERATOR_URL: "https://127.0.0.1:1" });
    expect(nobody).to.include({ exitCode: 4, stderr: "" });
    expect(JSON.parse(nobody.stdout)).to.include({ error: "unreachable" });
  });

  it("exits with 78 and every fault at once when variables are missing", async () => {
    const missing = { OPERATOR_CERTIFICATE_FILE: "", OPERATOR_KEY_FILE: "" };
    const { exitCode, stderr } = await operator(["stop-list", "list"], missing);
    expect(exitCode).to.equal(78);
    expect(stderr)
      .to.include("OPERATOR_CERTIFICATE_FILE is required")
      .and.to.include("OPERATOR_KEY_FILE is required");
    expect(stderr).not.to.include(readFileSync(environment.OPERATOR_KEY_FILE ?? "", "utf8").split("\n")[1]);
  });
});
