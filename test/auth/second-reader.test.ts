import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect } from "chai";
import { testCertificates } from "../support/test-certificates.ts";
import { type RawAnswer, temporaryFolder } from "../support/test-listener.ts";
import { type RunningAuth, runAuth } from "./running-auth.ts";
import { APPLICATIONS, postRegistration, REGISTRATION, register } from "./test-application.ts";

const WARNING = 40;
const LIBRARY = resolve("node_modules/x509.js");

/** What a library does that is `x509.js`, but for the certificate of one TPP. */
const ODDITIES = {
  disagrees: 'return { subject: { "2.5.4.97": "PSDSK-NBS-99000023" } };',
  hangs: "for (;;);",
  crashes: "process.exit(1);",
  throws: 'throw new Error("asm.js fell over");',
  "reads nothing": "return {};",
} as const;

describe("The second reader of a certificate at registration", function second() {
  this.timeout(60_000);
  const folder = temporaryFolder();
  after(() => folder.remove());

  /** A module with `parseCert` that is odd with the certificate `second-tpp` alone. */
  async function oddLibrary(oddity: keyof typeof ODDITIES): Promise<string> {
    const { tpp } = await testCertificates();
    const file = tpp.find(({ name }) => name === "second-tpp")?.certificateFile ?? "";
    const [, base64 = ""] = /BEGIN CERTIFICATE-----([^-]+)/.exec(readFileSync(file, "utf8")) ?? [];
    const path = join(folder.path, `${oddity}.cjs`);
    writeFileSync(
      path,
      `const real = require(${JSON.stringify(LIBRARY)});
      const odd = ${JSON.stringify(base64.replace(/\s/g, ""))};
      exports.parseCert = (pem) => {
        if (!pem.replace(/\\s/g, "").includes(odd)) return real.parseCert(pem);
        ${ODDITIES[oddity]}
      };`,
    );
    return path;
  }
  async function withOddity(
    oddity: keyof typeof ODDITIES,
    look: (auth: RunningAuth) => Promise<void>,
    mode: "refuse" | "warn" = "refuse",
  ): Promise<void> {
    const secondReader = { mode, deadlineMilliseconds: 250, library: await oddLibrary(oddity) };
    const auth = await runAuth({}, undefined, { secondReader });
    try {
      await look(auth);
    } finally {
      await auth.stop();
    }
  }
  const registerOdd = (auth: RunningAuth) =>
    postRegistration(auth, { ...REGISTRATION, scopes: ["aisp"] }, "second-tpp");
  /** As an honest TPP does that is told to try again in a moment, when the machine of the tests is busy. */
  async function registerPatiently(auth: RunningAuth, certificate: string, tries = 5): Promise<RawAnswer> {
    const answer = await postRegistration(auth, { ...REGISTRATION, scopes: ["aisp"] }, certificate);
    return answer.status === 503 && tries > 1 ? registerPatiently(auth, certificate, tries - 1) : answer;
  }
  const expectRefused = (answer: RawAnswer) => {
    expect([answer.status, JSON.parse(answer.body)]).to.deep.equal([
      401,
      {
        error: "access_denied",
        error_description: "The identity in the certificate could not be confirmed. Contact the bank.",
      },
    ]);
  };

  it("agrees about every good certificate, fifty at once, and the first does not wait in vain for its thread", async () => {
    const auth = await runAuth();
    try {
      const good = auth.certificates.tpp.filter(
        ({ roles, wrong }) => wrong === null && roles.includes("PSP_AI"),
      );
      const names = good.map(({ name }) => name);
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, index) => registerPatiently(auth, names[index % names.length] ?? "")),
      );
      for (const answer of answers) expect(answer.status, answer.body).to.equal(201);
      expect(auth.logLines.filter(({ msg }) => String(msg).includes("second reader"))).to.deep.equal([]);
    } finally {
      await auth.stop();
    }
  });

  for (const [oddity, refusal] of [
    ["disagrees", "second_reader_disagrees"],
    ["hangs", "second_reader_failed"],
    ["crashes", "second_reader_failed"],
    ["throws", "second_reader_failed"],
    ["reads nothing", "second_reader_failed"],
  ] as const) {
    it(`costs a registration and nothing else when it ${oddity}`, () =>
      withOddity(oddity, async (auth) => {
        expectRefused(await registerOdd(auth));
        expect(auth.lastCall()).to.include({ refusal });
        await register(auth);
        const list = await auth.call({ certificate: "second-tpp", path: APPLICATIONS });
        expect([list.status, list.body]).to.deep.equal([200, "[]"]);
      }));
  }

  it("holds up no other call while it hangs, and hangs once however many times it is tried", () =>
    withOddity("hangs", async (auth) => {
      await register(auth);
      const started = performance.now();
      const hanging = Array.from({ length: 50 }, () => registerOdd(auth));
      const others = await Promise.all(Array.from({ length: 50 }, () => auth.call({ path: APPLICATIONS })));
      for (const { status } of others) expect(status).to.equal(200);
      for (const answer of await Promise.all(hanging)) expectRefused(answer);
      expectRefused(await registerOdd(auth));
      // One deadline and fifty handshakes; fifty deadlines would be 12.5 seconds.
      expect(performance.now() - started).to.be.lessThan(10_000);
      await register(auth, {}, "all-roles");
    }));

  it("only warns of a disagreement or a failure when the operator wants that", async () => {
    for (const oddity of ["disagrees", "hangs"] as const)
      await withOddity(
        oddity,
        async (auth) => {
          expect((await registerOdd(auth)).status).to.equal(201);
          const warnings = auth.logLines.filter(({ level }) => level === WARNING);
          expect(warnings).to.have.length(1);
          expect(String(warnings[0]?.refusal)).to.match(/^second_reader_/);
        },
        "warn",
      );
  });

  it("is not asked when it is off", async () => {
    const secondReader = {
      mode: "off",
      deadlineMilliseconds: 250,
      library: await oddLibrary("crashes"),
    } as const;
    const auth = await runAuth({}, undefined, { secondReader });
    try {
      expect((await registerOdd(auth)).status).to.equal(201);
    } finally {
      await auth.stop();
    }
  });
});
