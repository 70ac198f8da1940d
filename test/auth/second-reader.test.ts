import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect } from "chai";
import { until } from "../support/eventually.ts";
import type { RawAnswer } from "../support/raw-https.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { testCertificates } from "../support/test-certificates.ts";
import { type RunningAuth, runAuth } from "./running-auth.ts";
import { APPLICATIONS, postRegistration, REGISTRATION } from "./test-application.ts";

const LIBRARY = resolve("node_modules/x509.js");

/** What the library does with some certificates of a TPP; it is `x509.js` with all others. */
const ODDITIES = {
  // Busy at first, waiting for nothing ever after: both must be ended from outside.
  "second-tpp": {
    does: "hangs",
    code: `if (times === 0) for (;;);
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);`,
    refusal: "second_reader_failed",
  },
  aisp: { does: "crashes", code: "process.exit(1);", refusal: "second_reader_failed" },
  pisp: { does: "throws", code: 'throw new Error("asm.js fell over");', refusal: "second_reader_failed" },
  cisp: { does: "reads nothing", code: "return {};", refusal: "second_reader_failed" },
  "all-roles": {
    does: "reads another TPP",
    code: 'return { subject: { "2.5.4.97": "PSDCZ-CNB-99000012" } };',
    refusal: "second_reader_disagrees",
  },
} as const;

type OddCertificate = keyof typeof ODDITIES;
const ODD: readonly OddCertificate[] = ["all-roles", "pisp", "cisp", "aisp", "second-tpp"];

/** As an honest TPP does that is told to try again in a moment, when the machine of the tests is busy. */
async function registerWith(auth: RunningAuth, certificate: string, tries = 5): Promise<RawAnswer> {
  const answer = await postRegistration(auth, { ...REGISTRATION, scopes: ["aisp"] }, certificate);
  return answer.status === 503 && tries > 1 ? registerWith(auth, certificate, tries - 1) : answer;
}

function expectRefused(answer: RawAnswer): void {
  expect([answer.status, JSON.parse(answer.body)]).to.deep.equal([
    401,
    {
      error: "access_denied",
      error_description: "The identity in the certificate could not be confirmed. Contact the bank.",
    },
  ]);
}

describe("The second reader of a certificate at registration", function second() {
  this.timeout(120_000);
  const folder = temporaryFolder();
  const library = join(folder.path, "odd-library.cjs");
  const asked = (certificate: string) => join(folder.path, `${certificate}.asked`);
  const running: RunningAuth[] = [];
  const run = async (mode: "refuse" | "warn" | "off", which?: string) => {
    // A good certificate takes a millisecond or two; the machine of the tests may be busy for longer.
    const deadlineMilliseconds = which === undefined ? 20_000 : 2_000;
    const secondReader = { mode, deadlineMilliseconds, ...(which && { library: which }) };
    const auth = await runAuth({ BANK_CALLERS: "operator=operator" }, running[0], { secondReader });
    running.push(auth);
    return auth;
  };
  let auth: RunningAuth;

  before(async () => {
    const { tpp } = await testCertificates();
    const odd = ODD.map((name) => {
      const file = tpp.find((each) => each.name === name)?.certificateFile ?? "";
      const [, base64 = ""] = /BEGIN CERTIFICATE-----([^-]+)/.exec(readFileSync(file, "utf8")) ?? [];
      return `if (sent.includes(${JSON.stringify(base64.replace(/\s/g, ""))})) {
        const { appendFileSync, readFileSync } = require("node:fs");
        appendFileSync(${JSON.stringify(asked(name))}, ".");
        const times = readFileSync(${JSON.stringify(asked(name))}, "utf8").length - 1;
        ${ODDITIES[name].code}
      }`;
    });
    writeFileSync(
      library,
      `const { parseCert } = require(${JSON.stringify(LIBRARY)});
      exports.parseCert = (pem) => {
        const sent = pem.replace(/\\s/g, "");
        ${odd.join("\n")}
        return parseCert(pem);
      };`,
    );
    auth = await run("refuse", library);
  });
  after(async () => {
    for (const each of running.toReversed()) await each.stop();
    folder.remove();
  });

  it("agrees about good certificates in fifty parallel registrations, and logs nothing", async () => {
    const sound = await run("refuse");
    const names = ["aisp-pisp", "all-roles", "all-roles-renewed", "aisp", "second-tpp"];
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) => registerWith(sound, names[index % names.length] ?? "")),
    );
    const told = JSON.stringify(sound.logLines.filter(({ refusal }) => refusal !== undefined));
    for (const answer of answers) expect(answer.status, told).to.equal(201);
    expect(sound.logLines.filter(({ msg }) => String(msg).includes("second reader"))).to.deep.equal([]);
  });

  for (const name of ODD) {
    const { does, refusal } = ODDITIES[name];
    it(`makes the registration fail, and nothing else, when it ${does}`, async () => {
      expectRefused(await registerWith(auth, name));
      const { refusal: noted, requestId } = auth.lastCall();
      expect(noted).to.equal(refusal);
      const path = `/operator/refusals/${requestId}`;
      await until(
        async () => (await auth.callAsBank({ path }, "operator")).body.includes(refusal),
        "it is noted",
      );
      expect((await auth.call({ certificate: name, path: APPLICATIONS })).status).to.equal(200);
      expect((await registerWith(auth, "aisp-pisp")).status).to.equal(201);
    });
  }

  it("is asked once about a certificate, however many registrations present it, and delays no other call", async () => {
    const fresh = await run("refuse", library);
    const before = readFileSync(asked("second-tpp"), "utf8").length;
    const hanging = Array.from({ length: 50 }, () => registerWith(fresh, "second-tpp"));
    const others = Array.from({ length: 50 }, () => fresh.call({ path: APPLICATIONS }));
    expect((await Promise.all(others)).map(({ status }) => status)).not.to.include(401);
    for (const answer of await Promise.all(hanging)) expectRefused(answer);
    expect(readFileSync(asked("second-tpp"), "utf8").length - before).to.equal(1);
    expect((await registerWith(fresh, "aisp-pisp")).status).to.equal(201);
  });

  it("only logs a warning when it is set to warn", async () => {
    const warning = await run("warn", library);
    for (const name of ["all-roles", "second-tpp"] as const) {
      expect((await registerWith(warning, name)).status).to.equal(201);
      const told = warning.logLines.filter(({ msg }) => String(msg).includes("second reader"));
      expect(told.at(-1)).to.include({ refusal: ODDITIES[name].refusal });
    }
  });

  it("is not asked when it is off", async () => {
    const off = await run("off", library);
    const before = readFileSync(asked("aisp"), "utf8");
    expect((await registerWith(off, "aisp")).status).to.equal(201);
    expect(readFileSync(asked("aisp"), "utf8")).to.equal(before);
  });
});
