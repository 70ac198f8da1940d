import { createPrivateKey, X509Certificate } from "node:crypto";
import { once } from "node:events";
import {
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { parseTrustAnchors } from "@cobs/psd2-certificates";
import { expect } from "chai";
import { derSequence } from "../../../packages/sandbox/src/certificates/der.ts";
import { certId } from "../../../packages/sandbox/src/certificates/ocsp-response.ts";
import type { CommandContext } from "../../../packages/sandbox/src/certs/command.ts";
import { crl } from "../../../packages/sandbox/src/certs/commands/crl.ts";
import { inspect } from "../../../packages/sandbox/src/certs/commands/inspect.ts";
import { type IssueOptions, issue } from "../../../packages/sandbox/src/certs/commands/issue.ts";
import { list } from "../../../packages/sandbox/src/certs/commands/list.ts";
import { ocsp } from "../../../packages/sandbox/src/certs/commands/ocsp.ts";
import { respond } from "../../../packages/sandbox/src/certs/commands/respond.ts";
import { revoke, unrevoke } from "../../../packages/sandbox/src/certs/commands/revoke.ts";
import { ocspAnswers } from "../../../packages/sandbox/src/certs/ocsp-answers.ts";
import { serialNumberOf } from "../../../packages/sandbox/src/revocation/answer-revocation.ts";
import { revocationUrls } from "../../../packages/sandbox/src/revocation/revocation-responder.ts";
import { freePort } from "../../support/free-port.ts";
import { rejectionOf } from "../../support/rejection.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

describe("Commands of the test CA:", function commands() {
  this.timeout(120_000);
  const { path, remove } = temporaryFolder();
  const out = join(path, "ca");
  const anchors = join(out, "anchors.json");
  const issued = (name: string) => join(out, "issued", `${name}.pem`);
  let context: CommandContext;
  let port: number;
  const told: string[] = [];

  before(async () => {
    port = await freePort();
    context = {
      sandboxCertificates: join(path, "no-sandbox"),
      sources: revocationUrls(port),
      now: () => new Date(),
      tell: (text) => void told.push(text),
      interrupted: () => new Promise(() => undefined),
    };
    await issue(context, { profiles: ["aisp-pisp"], out });
  });
  after(remove);

  const make = (options: Partial<IssueOptions>) => issue(context, { profiles: [], out, ...options });
  const verdict = async (name: string, ask = false) => {
    const { json, refused } = await inspect(context, { files: [issued(name)], anchors, ask });
    const { reports } = JSON.parse(JSON.stringify(json));
    return { code: reports[0].code, refused };
  };

  describe("list", () => {
    it("names every defect with its code, and programs get plain data", async () => {
      const { json, text } = await list(context);
      expect(text).to.match(/issuer-expired +chain_untrusted +The certificate of its issuer has expired\./);
      expect(JSON.parse(JSON.stringify(json)).defects[0]).to.have.keys(
        "name",
        "wrong",
        "clause",
        "code",
        "carriedBy",
      );
    });
  });

  describe("issue", () => {
    it("makes a CA in an empty folder, with anchors marked sandbox and keys readable only by the owner", () => {
      expect(parseTrustAnchors(readFileSync(anchors, "utf8")).environment).to.equal("sandbox");
      const keys = readdirSync(out, { recursive: true, encoding: "utf8" }).filter((file) =>
        file.endsWith(".key"),
      );
      expect(keys).to.include(join("issued", "aisp-pisp.key"));
      for (const key of keys) expect(statSync(join(out, key)).mode & 0o077, key).to.equal(0);
    });

    it("issues again under the same CA, and keeps what it issued before", async () => {
      const before = readFileSync(anchors, "utf8");
      await make({ profiles: ["second-tpp"] });
      expect(readFileSync(anchors, "utf8")).to.equal(before);
      expect(readFileSync(issued("aisp-pisp"), "utf8")).to.include("BEGIN CERTIFICATE");
    });

    it("makes each defect of each named profile, under names that contain both", async () => {
      const { json } = await make({
        profiles: ["cisp", "second-tpp"],
        defect: ["expired", "issuer-expired"],
      });
      const names = JSON.parse(JSON.stringify(json)).issued.map(({ name }: { name: string }) => name);
      expect(names).to.deep.equal([
        "cisp.expired",
        "cisp.issuer-expired",
        "second-tpp.expired",
        "second-tpp.issuer-expired",
      ]);
      expect(await verdict("cisp.expired")).to.deep.equal({ code: "certificate_expired", refused: true });
    });

    it("omits the sources of revocation and sets the days of validity as asked", async () => {
      await make({ profiles: ["aisp"], ocsp: false, crl: false, days: 10 });
      const { json } = await inspect(context, { files: [issued("aisp")], anchors });
      const { facts } = JSON.parse(JSON.stringify(json)).reports[0];
      expect(facts).to.deep.include({ ocspResponders: [], crls: [] });
      expect(facts.daysLeft).to.be.within(9, 10);
    });

    it("reports at once where no folder can be made", async () => {
      const error = await rejectionOf(issue(context, { profiles: ["aisp"], out: "/proc/test-ca" }));
      expect(error.name).to.equal("CertsRefusal");
      expect(error.message).to.match(/^\/proc\/test-ca cannot be made \(E[A-Z]+\)$/);
    });

    it("makes one test CA when two commands find none at the same time", async () => {
      const out = join(path, "at-once");
      const profiles = ["aisp", "pisp"];
      const made = await Promise.all(profiles.map((profile) => issue(context, { profiles: [profile], out })));
      expect(made.filter(({ text }) => text.startsWith("A new test CA"))).to.have.lengthOf(1);
      const files = profiles.map((profile) => join(out, "issued", `${profile}.pem`));
      const { refused } = await inspect(context, { files, anchors: join(out, "anchors.json") });
      expect(refused).to.equal(false);
      expect(readdirSync(out).sort()).to.deep.equal([
        "anchors.json",
        "ca-keys",
        "ca.pem",
        "issued",
        "private-ca.pem",
      ]);
    });

    it("keeps key and certificate matching when several issue the same at once", async () => {
      const defect = { profiles: ["aisp"], defect: ["issuer-expired"] };
      await Promise.all(Array.from({ length: 6 }, () => make(defect)));
      const [pem, key] = [
        issued("aisp.issuer-expired"),
        issued("aisp.issuer-expired").replace(/pem$/, "key"),
      ];
      const certificate = new X509Certificate(readFileSync(pem));
      expect(certificate.checkPrivateKey(createPrivateKey(readFileSync(key)))).to.equal(true);
      const authority = join(out, "ca-keys", "ordered", "aisp.issuer-expired.issuer.pem");
      expect(certificate.verify(new X509Certificate(readFileSync(authority)).publicKey)).to.equal(true);
      expect(readdirSync(join(out, "issued")).filter((name) => !/\.(pem|key)$/.test(name))).to.deep.equal([]);
    });

    it("makes the test CA anew after a command that made it was cut off", async () => {
      const out = join(path, "unfinished");
      // As a disk that was full has left it, or `kill -9`.
      mkdirSync(join(out, "ca-keys"), { recursive: true });
      for (const file of ["making.unfinished", "anchors.json.new", "ca.pem", join("ca-keys", "web.key")])
        writeFileSync(join(out, file), "");
      await issue(context, { profiles: ["aisp"], out });
      const files = [join(out, "issued", "aisp.pem")];
      const { refused } = await inspect(context, { files, anchors: join(out, "anchors.json") });
      expect(refused).to.equal(false);
      expect(readdirSync(out)).not.to.include("making.unfinished");
    });

    it("touches no folder that is not a test CA's", async () => {
      const foreign = join(path, "foreign");
      await issue(context, { profiles: ["aisp"], out: foreign });
      const production = readFileSync(join(foreign, "anchors.json"), "utf8").replace("sandbox", "production");
      writeFileSync(join(foreign, "anchors.json"), production);
      rmSync(join(foreign, "issued"), { recursive: true });
      expect((await rejectionOf(issue(context, { profiles: ["aisp"], out: foreign }))).message).to.include(
        "not marked sandbox",
      );
      expect(readdirSync(foreign)).not.to.include("issued");
      expect((await rejectionOf(issue(context, { profiles: ["aisp"], out: path }))).message).to.include(
        "is not the folder of a test CA",
      );
    });

    for (const [what, options] of [
      ["a profile", { profiles: ["nobody"] }],
      ["a defect", { defect: ["nothing"] }],
      ["an oddity", { oddity: ["nothing"] }],
      ["a URL", { profiles: ["aisp"], ocsp: "here" }],
      ["anything", {}],
    ] as const)
      it(`refuses when ${what} is missing or wrong`, async () => {
        expect((await rejectionOf(make(options))).name).to.equal("CertsRefusal");
      });
  });

  describe("inspect", () => {
    it("accepts a right certificate, for the time asked about", async () => {
      expect(await verdict("aisp-pisp")).to.deep.equal({ code: undefined, refused: false });
      const later = await inspect(context, {
        files: [issued("aisp-pisp")],
        anchors,
        at: "2999-01-01T00:00:00Z",
      });
      expect(later.text).to.include("REFUSED with certificate_expired");
      expect(later.refused).to.equal(true);
    });

    it("says when the file, the anchors or the time is at fault", async () => {
      const messageOf = async (options: object) =>
        (await rejectionOf(inspect(context, { files: [issued("aisp-pisp")], anchors, ...options }))).message;
      expect(await messageOf({ files: [issued("aisp-pisp").replace(".pem", ".key")] })).to.include(
        "private key",
      );
      expect(await messageOf({ files: ["/nowhere.pem"] })).to.include("cannot be read");
      expect(await messageOf({ anchors: issued("aisp-pisp") })).to.include("aisp-pisp.pem");
      expect(await messageOf({ anchors: undefined })).to.include("there are no trust anchors");
      for (const at of ["soon", "12", "2026-02-30T00:00:00Z", "2026-01-31T12:00:00"])
        expect(await messageOf({ at }), at).to.include("--at must be a time");
    });
  });

  describe("revoke, crl, ocsp and respond", () => {
    it("change the answer of the responder, until the revocation is withdrawn (RFC 6960 2.2)", async () => {
      let interrupt: () => void = () => undefined;
      const interrupted = new Promise<void>((resolve) => {
        interrupt = resolve;
      });
      const answering = respond({ ...context, interrupted: () => interrupted }, { directory: out, port });
      await make({ oddity: ["chain-of-two"] });
      expect(await verdict("chain-of-two", true)).to.deep.equal({ code: undefined, refused: false });
      await revoke(context, { directory: out, name: "chain-of-two", reason: "certificateHold" });
      expect(await verdict("chain-of-two", true)).to.deep.equal({
        code: "certificate_revoked",
        refused: true,
      });
      await unrevoke(context, { directory: out, name: "chain-of-two" });
      expect(await verdict("chain-of-two", true)).to.deep.equal({ code: undefined, refused: false });
      interrupt();
      expect((await answering).json).to.include({ port });
      expect(told.join()).to.include(`OCSP at http://localhost:${port}/ocsp`);
    });

    it("leave a certificate unjudged when no responder answers, without refusing it", async () => {
      const { text } = await inspect(context, { files: [issued("aisp-pisp")], anchors, ask: true });
      expect(text)
        .to.match(/^.*\nACCEPTED/)
        .and.to.match(/– It is not revoked/);
    });

    it("write a CRL for each authority, as DER and as PEM", async () => {
      const { json } = await crl(context, { directory: out });
      const { crls } = JSON.parse(JSON.stringify(json));
      expect(crls.map(({ authority }: { authority: string }) => authority)).to.include.members([
        "issuing",
        "chain-of-two.issuer",
      ]);
      expect(readFileSync(crls[0].file)[0]).to.equal(0x30);
      expect(readFileSync(crls[0].pem, "utf8")).to.match(/^-----BEGIN X509 CRL-----\n/);
    });

    it("replace a CRL and an answer as a whole, also in parallel, and leave no other files behind", async () => {
      const about = { directory: out, certificate: "aisp-pisp", answer: ["good"] };
      const write = () => Promise.all([crl(context, { directory: out }), ocsp(context, about)]);
      await write();
      const files = ["crl/issuing.crl", "crl/issuing.pem", "ocsp/aisp-pisp.good.der"].map((name) =>
        join(out, name),
      );
      // Whoever began to read a file goes on to read the one that was there, to its end.
      const readers = files.map((file) => ({
        reader: openSync(file, "r"),
        held: readFileSync(file, "latin1"),
      }));
      await Promise.all([write(), write(), write()]);
      for (const { reader, held } of readers) {
        expect(readFileSync(reader, "latin1")).to.equal(held);
        closeSync(reader);
      }
      const left = ["", "crl", "ocsp"].flatMap((folder) => readdirSync(join(out, folder)));
      expect(left.filter((name) => /\.(new|lock)/.test(name))).to.deep.equal([]);
    });

    it("give no reason in a CRL when it is unspecified (RFC 5280 5.3.1)", async () => {
      const who = { directory: out, name: "aisp-pisp" };
      const hasReason = async (reason: string) => {
        await revoke(context, { ...who, reason });
        const { json } = await crl(context, { directory: out });
        const [{ file }] = JSON.parse(JSON.stringify(json)).crls;
        await unrevoke(context, who);
        return readFileSync(file).includes(Buffer.from("0603551d15", "hex"));
      };
      expect([await hasReason("superseded"), await hasReason("unspecified")]).to.deep.equal([true, false]);
    });

    it("write every kind of OCSP answer about a certificate, all different", async () => {
      const { json } = await ocsp(context, { directory: out, certificate: "aisp-pisp" });
      const answers: { kind: string; file: string }[] = JSON.parse(JSON.stringify(json)).answers;
      expect(answers.map(({ kind }) => kind)).to.have.members(Object.keys(ocspAnswers));
      const contents = answers.map(({ file }) => readFileSync(file).toString("hex"));
      expect(new Set(contents).size).to.equal(contents.length);
    });

    it("write an OCSP answer about a certificate file into the folder, under its bare name", async () => {
      const certificate = issued("aisp-pisp");
      const { json } = await ocsp(context, { directory: out, certificate, answer: ["good"] });
      const [{ file }] = JSON.parse(JSON.stringify(json)).answers;
      expect(file).to.equal(join(out, "ocsp", "aisp-pisp.good.der"));
      expect(readFileSync(file)[0]).to.equal(0x30);
    });

    it("write the true answer to a request, next to it", async () => {
      const serialNumber = serialNumberOf(readFileSync(issued("aisp-pisp"), "utf8"));
      const issuerPem = readFileSync(join(out, "ca-keys", "qtsp-issuing.pem"), "utf8");
      const request = join(path, "request.der");
      writeFileSync(
        request,
        derSequence(derSequence(derSequence(derSequence(certId({ issuerPem, serialNumber }))))),
      );
      await ocsp(context, { directory: out, request });
      expect(readFileSync(`${request}.response`).includes(Buffer.from(serialNumber, "hex"))).to.equal(true);
    });

    it("refuse a port that is taken, in words (respond)", async () => {
      const taken = createServer().listen(0, "127.0.0.1");
      await once(taken, "listening");
      const address = taken.address();
      const busy = typeof address === "object" && address !== null ? address.port : 0;
      const refusal = await rejectionOf(respond(context, { directory: out, port: busy }));
      taken.close();
      expect(refusal).to.include({ name: "CertsRefusal", message: "the port is taken by another program" });
    });

    it("warn that a service may remember a revocation that was withdrawn", async () => {
      const who = { directory: out, name: "aisp-pisp" };
      await revoke(context, { ...who, reason: "superseded" });
      expect((await unrevoke(context, who)).text).to.match(
        /is good again\nA service that has seen it revoked/,
      );
      expect((await unrevoke(context, who)).text).to.match(/was not revoked$/);
    });

    it("refuse unknown reasons, answers and certificates", async () => {
      const directory = out;
      const refusals = await Promise.all(
        [
          revoke(context, { directory, name: "aisp-pisp", reason: "because" }),
          revoke(context, { directory, name: "nobody", reason: "superseded" }),
          ocsp(context, { directory, certificate: "aisp-pisp", answer: ["perhaps"] }),
          ocsp(context, { directory }),
          crl(context, { directory: join(path, "nowhere") }),
        ].map(rejectionOf),
      );
      expect(refusals.map(({ name }) => name)).to.deep.equal(Array(5).fill("CertsRefusal"));
    });
  });
});
