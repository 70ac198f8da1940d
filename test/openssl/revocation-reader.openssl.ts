import { execFile } from "node:child_process";
import { X509Certificate } from "node:crypto";
import { rmSync, writeFileSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import {
  createTppVerification,
  parseTrustAnchors,
  type RevocationEvent,
  type RevocationFetch,
} from "@cobs/psd2-certificates";
import { expect } from "chai";
import { extendedKeyUsage } from "../../packages/sandbox/src/certificates/certificate-extension.ts";
import {
  type IssuedCertificate,
  issueCertificate,
} from "../../packages/sandbox/src/certificates/issue-certificate.ts";
import { readTppProfile } from "../../packages/sandbox/src/certificates/read-tpp-profiles.ts";
import { createTestCa, type TestCa } from "../../packages/sandbox/src/certificates/test-ca.ts";
import { describeTppCertificate } from "../../packages/sandbox/src/certificates/tpp-certificate.ts";
import { codeOf } from "../psd2-certificates/revocation/revocation-world.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const run = promisify(execFile);
const now = new Date();

describe("Verifier that reads revocation data made by openssl", () => {
  const { path } = temporaryFolder();
  const file = (name: string) => join(path, name);
  let ca: TestCa;
  let tpp: IssuedCertificate;

  before(async () => {
    ca = await createTestCa(now);
    const right = describeTppCertificate(await readTppProfile("aisp"), now, {
      ocsp: "http://ocsp.test/",
      crl: "http://crl.test/",
    });
    tpp = await issueCertificate(ca.qtspIssuing, right);
    const delegate = await issueCertificate(ca.qtspIssuing, {
      ...right,
      extensions: [extendedKeyUsage("OCSPSigning")],
    });
    writeFileSync(file("authority.pem"), ca.qtspIssuing.certificatePem);
    writeFileSync(file("authority.key"), ca.qtspIssuing.privateKeyPem, { mode: 0o600 });
    writeFileSync(file("delegate.pem"), delegate.certificatePem);
    writeFileSync(file("delegate.key"), delegate.privateKeyPem, { mode: 0o600 });
    writeFileSync(file("index.txt.attr"), "unique_subject = no\n");
    writeFileSync(
      file("ca.conf"),
      [
        "[ca]",
        "default_ca = issuing",
        "[issuing]",
        `database = ${file("index.txt")}`,
        `crlnumber = ${file("crlnumber")}`,
        "default_md = sha256",
        "crl_extensions = crl",
        "[crl]",
        "authorityKeyIdentifier = keyid",
      ].join("\n"),
    );
    writeFileSync(file("crlnumber"), "1000\n");
  });
  after(() => rmSync(path, { recursive: true, force: true }));

  /** The index in which `openssl ca` keeps what it issued: status, end, when and why revoked, serial number, name. */
  async function writeIndex(status: string): Promise<void> {
    const { serialNumber } = new X509Certificate(tpp.certificatePem);
    const others = Array.from({ length: 50 }, (_, at) => [
      "R",
      "351231235959Z",
      "250101000000Z",
      `7F${(at + 16).toString(16).toUpperCase()}`,
      "unknown",
      `/CN=${at}`,
    ]);
    const own = status === "unknown" ? [] : [[...status.split(" "), serialNumber, "unknown", "/CN=tpp"]];
    const lines = [...others, ...own].map((fields) => `${fields.join("\t")}\n`);
    await writeFile(file("index.txt"), lines.join(""));
  }
  const states = {
    good: "V 351231235959Z ",
    revoked: "R 351231235959Z 260102030405Z,keyCompromise",
    hold: "R 351231235959Z 260102030405Z,certificateHold",
    unknown: "unknown",
  };

  /** `openssl ocsp` as a responder, by files in the place of a connection. */
  async function respond(body: Buffer, signer: "authority" | "delegate"): Promise<Buffer> {
    await writeFile(file("request.der"), body);
    await run("openssl", [
      ...["ocsp", "-index", file("index.txt"), "-CA", file("authority.pem")],
      ...["-rsigner", file(`${signer}.pem`), "-rkey", file(`${signer}.key`), "-nmin", "5"],
      ...["-reqin", file("request.der"), "-respout", file("response.der")],
    ]);
    return readFile(file("response.der"));
  }

  async function makeCrl(): Promise<Buffer> {
    await run("openssl", [
      ...["ca", "-gencrl", "-config", file("ca.conf"), "-keyfile", file("authority.key")],
      ...["-cert", file("authority.pem"), "-crldays", "1", "-out", file("crl.pem")],
    ]);
    await run("openssl", ["crl", "-in", file("crl.pem"), "-outform", "DER", "-out", file("crl.der")]);
    return readFile(file("crl.der"));
  }

  async function identify(fetch: RevocationFetch): Promise<{ outcome: string; told: string }> {
    const events: RevocationEvent[] = [];
    const anchor = {
      serviceName: "Issuing",
      from: "2000-01-01T00:00:00Z",
      until: null,
      certificate: ca.qtspIssuing.certificatePem,
    };
    const verification = createTppVerification({
      anchors: parseTrustAnchors({ environment: "sandbox", version: 1, revision: 1, anchors: [anchor] }),
      revocation: {
        fetch,
        monotonicMilliseconds: () => performance.now(),
        cacheSeconds: 600,
        graceSeconds: 0,
        onEvent: (event) => events.push(event),
      },
    });
    const der = new X509Certificate(tpp.certificatePem).raw;
    const presented = { der, intermediates: [], tlsVerdict: undefined };
    const outcome = await verification
      .identify(presented, new Date(), "certain")
      .then(() => "accepted", codeOf);
    const told = events.flatMap((event) => (event.kind === "answer" ? [event.detail] : []));
    return { outcome, told: told.join() };
  }

  for (const signer of ["authority", "delegate"] as const) {
    for (const [state, outcome, told] of [
      ["good", "accepted", "OCSP ocsp.test: good"],
      ["revoked", "certificate_revoked", "OCSP ocsp.test: revoked, keyCompromise"],
      ["hold", "certificate_revoked", "OCSP ocsp.test: revoked, certificateHold"],
      ["unknown", "unavailable", "the responder does not know the certificate,no CRL today"],
    ] as const) {
      it(`takes the OCSP answer "${state}", signed by the ${signer} (RFC 6960 4.2.2.2)`, async () => {
        await writeIndex(states[state]);
        const answered = await identify(({ body }) => {
          if (body === undefined) throw new Error("no CRL today");
          return respond(body, signer);
        });
        expect(answered).to.deep.equal({ outcome, told });
      });
    }
  }

  for (const [state, outcome, told] of [
    ["good", "accepted", "CRL crl.test: good"],
    ["revoked", "certificate_revoked", "CRL crl.test: revoked, keyCompromise"],
    ["hold", "certificate_revoked", "CRL crl.test: revoked, certificateHold"],
    ["unknown", "accepted", "CRL crl.test: good"],
  ] as const) {
    it(`reads a CRL of "openssl ca" in which the certificate is ${state} (RFC 5280 6.3.3)`, async () => {
      await writeIndex(states[state]);
      const crl = await makeCrl();
      const answered = await identify(async ({ body }) => {
        if (body !== undefined) throw new Error("no OCSP today");
        return crl;
      });
      expect(answered).to.deep.equal({ outcome, told: `no OCSP today,${told}` });
    });
  }
});
