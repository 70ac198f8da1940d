import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  createCertificateVerifier,
  parseOrganisationIdentifier,
  parseTrustAnchors,
} from "@cobs/psd2-certificates";
import {
  compareReadings,
  createSecondReader,
  type SecondReader,
  type SecondReaderOptions,
} from "@cobs/psd2-certificates/second-reader";
import { expect } from "chai";
import { derElement, derUtf8String } from "../../../packages/sandbox/src/certificates/der.ts";
import {
  anchorFile,
  attribute,
  authorityPlan,
  bmpString,
  issue,
  keyOf,
  now,
  oids,
  present,
  printableString,
  qwacPlan,
  tppSubject,
} from "../certificate-builder.ts";
import { hangingCertificate } from "./hanging-certificate.ts";

const issuing = issue(authorityPlan("Issuing CA"));
const verifier = createCertificateVerifier({ anchors: parseTrustAnchors(anchorFile([issuing])) });
const leafOf = (identifier: string, key = keyOf("P-256", "leaf")) =>
  issue(qwacPlan({ subject: tppSubject(identifier), key }), issuing).der;
const leafWith = (value: Uint8Array) => {
  const subject = tppSubject().filter(({ oid }) => oid !== oids.identifier);
  return issue(qwacPlan({ subject: [...subject, attribute(oids.identifier, value)] }), issuing).der;
};

/** Beyond every wait of these tests, and below what would let a hang pass for slowness. */
const patient = { deadlineMilliseconds: 60_000 };

describe("The second reader", function () {
  this.timeout(240_000);
  const open: SecondReader[] = [];
  const folder = mkdtempSync(join(tmpdir(), "second-reader-"));
  const opened = (options: SecondReaderOptions) => {
    const reader = createSecondReader(options);
    open.push(reader);
    return reader;
  };
  /** A library that behaves as its name says for a certificate of `marked`, and answers others. */
  const libraryThat = (name: string, act: string, marked: Buffer) => {
    const path = join(folder, `${name}.cjs`);
    const mark = JSON.stringify(marked.toString("base64").slice(-60, -10));
    writeFileSync(
      path,
      `exports.parseCert = (pem) => { if (pem.replace(/\\n/g, "").includes(${mark})) { ${act} } return { subject: { "2.5.4.97": "PSDCZ-CNB-2" } }; };`,
    );
    return path;
  };
  /** Starting the real library is slow: one serves all tests that do not end it. */
  const shared = opened({ ...patient, maxWaiting: 50 });
  after(async () => {
    await Promise.all(open.map((reader) => reader.close()));
    rmSync(folder, { recursive: true, force: true });
  });

  it("agrees with the verifier on right certificates, including Czech names and numbers", async () => {
    const reader = shared;
    const leaves = [
      ...["PSDCZ-CNB-63492555", "PSDCZ-CNB-00012345", "PSDCZ-CNB-2858394-9", "PSDCZ-CNB-Ž-ŠČ-9"].map((id) =>
        leafOf(id, keyOf("P-256", "leaf")),
      ),
      ...(["P-384", "P-521", "rsa-2048", "ed25519"] as const).map((kind) =>
        leafOf("PSDCZ-CNB-1", keyOf(kind)),
      ),
      leafWith(printableString("PSDCZ-CNB-63492555")),
      leafOf(`PSDCZ-CNB-${"ů".repeat(246)}`),
    ];
    for (const der of leaves) {
      const { organisationIdentifier } = verifier.verify(present(der), now);
      expect(compareReadings(organisationIdentifier, await reader.read(der))).to.deep.equal({
        verdict: "agree",
        detail: organisationIdentifier,
      });
    }
  });

  it("agrees for every length of the certificate, also with full last lines in its PEM form", async () => {
    const left = new Set(Array.from({ length: 48 }, (_, remainder) => remainder));
    for (let length = 1; left.size > 0; length = (length % 200) + 1) {
      const identifier = parseOrganisationIdentifier(`PSDCZ-CNB-${"7".repeat(length)}`);
      const der = leafOf(identifier);
      if (!left.delete(der.length % 48)) continue;
      expect(compareReadings(identifier, await shared.read(der)).verdict, `${der.length} octets`).to.equal(
        "agree",
      );
    }
  });

  it("differs if the octets say anything else, even a leading zero", async () => {
    const { organisationIdentifier } = verifier.verify(present(leafOf("PSDCZ-CNB-1")), now);
    const opinion = compareReadings(organisationIdentifier, await shared.read(leafOf("PSDCZ-CNB-01")));
    expect(opinion).to.deep.equal({
      verdict: "differ",
      detail: 'verified as PSDCZ-CNB-1, read as "PSDCZ-CNB-01"',
    });
  });

  for (const [what, value] of [
    ["a BMPString", bmpString("PSDCZ-CNB-1")],
    ["a TeletexString", derElement(0x14, Buffer.from("PSDCZ-CNB-1"))],
    ["a UniversalString", derElement(0x1c, Buffer.from("0000005000000053", "hex"))],
    ["a zero octet", derUtf8String("PSDCZ-CNB-1\0")],
  ] as const) {
    it(`has no opinion on an identifier with ${what}, which it cannot represent`, async () => {
      expect((await shared.read(leafWith(value))).kind).to.equal("no_opinion");
    });
  }

  it("has no opinion on octets that cannot have been verified", async () => {
    expect((await shared.read(Buffer.from("hello"))).kind).to.equal("no_opinion");
  });

  it("loses one reading when a certificate hangs its library, and goes on (CVE-2022-0778)", async () => {
    const reader = opened({ deadlineMilliseconds: 2_000 });
    const hanging = hangingCertificate();
    expect(hanging.length).to.be.below(240);
    await reader.read(leafOf("PSDCZ-CNB-1"));
    let turns = 0;
    const turning = setInterval(() => {
      turns += 1;
    }, 10);
    const start = performance.now();
    expect(await reader.read(hanging)).to.deep.equal({ kind: "failed", detail: "no answer within 2000 ms" });
    clearInterval(turning);
    expect(performance.now() - start).to.be.within(1_995, 10_000);
    expect(turns).to.be.above(20);
    expect((await reader.read(leafOf("PSDCZ-CNB-1"))).kind).to.equal("read");
  });

  for (const [name, act, detail] of [
    ["ends the process", "console.log('loud'); process.exit(1);", /the thread ended with 1/],
    ["eats all memory", "const all = []; for (;;) all.push(new Array(1e5).fill(pem));", /failed|ended/],
    ["answers nonsense", "return 5;", /no organisation identifier/],
    ["refuses", "throw new Error('no');", /the library reports no/],
  ] as const) {
    it(`loses one reading when its library ${name}`, async () => {
      const marked = leafOf("PSDCZ-CNB-1");
      const reader = opened({ ...patient, library: libraryThat(name, act, marked) });
      const reading = await reader.read(marked);
      expect(reading.kind).to.equal("failed");
      expect(reading.kind === "failed" && reading.detail).to.match(detail);
      expect(await reader.read(leafOf("PSDCZ-CNB-2"))).to.deep.equal({
        kind: "read",
        organisationIdentifier: "PSDCZ-CNB-2",
      });
    });
  }

  it("loses at most one reading when its thread dies while idle", async () => {
    const dying = "setTimeout(() => { throw new Error('late'); }, 20);";
    const marked = leafOf("PSDCZ-CNB-1");
    const reader = opened({ ...patient, library: libraryThat("dies", dying, marked) });
    const kinds = [(await reader.read(marked)).kind];
    for (let at = 0; at < 50; at++) {
      kinds.push((await reader.read(leafOf("PSDCZ-CNB-2"))).kind);
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    expect(kinds.filter((kind) => kind === "failed").length).to.be.most(1);
    expect(kinds.at(-1)).to.equal("read");
  });

  it("fails if its library cannot be loaded, or never answers", async () => {
    expect((await opened({ library: join(folder, "none.cjs") }).read(leafOf("PSDCZ-CNB-1"))).kind).to.equal(
      "failed",
    );
    const stuck = join(folder, "stuck.cjs");
    writeFileSync(stuck, "for (;;);");
    const reading = await opened({ library: stuck, startMilliseconds: 200 }).read(leafOf("PSDCZ-CNB-1"));
    expect(reading).to.deep.equal({ kind: "failed", detail: "no answer within 200 ms" });
  });

  it("answers fifty parallel readings, each with its own result", async () => {
    const reader = shared;
    const identifiers = Array.from({ length: 50 }, (_, at) => `PSDCZ-CNB-${at}`);
    const readings = await Promise.all(identifiers.map((id) => reader.read(leafOf(id))));
    expect(readings).to.deep.equal(
      identifiers.map((organisationIdentifier) => ({ kind: "read", organisationIdentifier })),
    );
  });

  it("fails at once when its queue is full, and has room again afterwards", async () => {
    const reader = opened({
      ...patient,
      maxWaiting: 3,
      library: libraryThat("answers", "", Buffer.alloc(99)),
    });
    const kinds = (
      await Promise.all([1, 2, 3, 4, 5].map((at) => reader.read(leafOf(`PSDCZ-CNB-${at}`))))
    ).map(({ kind }) => kind);
    expect(kinds).to.deep.equal(["read", "read", "read", "failed", "failed"]);
    expect((await reader.read(leafOf("PSDCZ-CNB-6"))).kind).to.equal("read");
  });

  it("starts in less than a second of processor time, without compiling its whole library", async () => {
    const reader = opened(patient);
    const before = process.cpuUsage();
    expect((await reader.read(leafOf("PSDCZ-CNB-1"))).kind).to.equal("read");
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1_000, "milliseconds").to.be.below(1_000);
  });

  it("does not grow in memory over two thousand readings", async () => {
    const reader = shared;
    const der = leafOf("PSDCZ-CNB-1");
    const readMany = async (count: number) => {
      for (let at = 0; at < count; at++) expect((await reader.read(der)).kind).to.equal("read");
      return process.memoryUsage().rss;
    };
    const before = await readMany(500);
    expect((await readMany(2_000)) - before, "octets").to.be.below(32 * 1024 * 1024);
  });

  it("can be prepared before the first certificate, also if that fails", async () => {
    const broken = opened({ library: join(folder, "none.cjs") });
    broken.prepare();
    expect((await broken.read(leafOf("PSDCZ-CNB-1"))).kind).to.equal("failed");
    const reader = opened({ library: libraryThat("prepared", "", Buffer.alloc(99)) });
    reader.prepare();
    expect((await reader.read(leafOf("PSDCZ-CNB-2"))).kind).to.equal("read");
  });

  it("fails all waiting and later readings once it is closed", async () => {
    const marked = leafOf("PSDCZ-CNB-1");
    const reader = opened({
      deadlineMilliseconds: 60_000,
      library: libraryThat("hangs", "for (;;);", marked),
    });
    expect((await reader.read(leafOf("PSDCZ-CNB-2"))).kind).to.equal("read");
    const waiting = [reader.read(marked), reader.read(leafOf("PSDCZ-CNB-2"))];
    await reader.close();
    const kinds = [...(await Promise.all(waiting)), await reader.read(leafOf("PSDCZ-CNB-1"))];
    expect(new Set(kinds.map(({ kind }) => kind))).to.deep.equal(new Set(["failed"]));
  });
});
