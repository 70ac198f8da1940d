import { CertificateFileError, readCertificateFile } from "@cobs/psd2-certificates";
import { expect } from "chai";
import fc from "fast-check";
import { startComputing } from "../../support/stopwatch.ts";
import { authorityPlan, issue, keyOf, qwacPlan } from "../certificate-builder.ts";

const root = issue(authorityPlan("Root"));
const issuing = issue(authorityPlan("Issuing CA"), root);
const leaf = issue(qwacPlan(), issuing);
const base64 = leaf.der.toString("base64");

function messageOf(content: string | Buffer): string | undefined {
  try {
    readCertificateFile(content);
    return undefined;
  } catch (error) {
    if (error instanceof CertificateFileError) return error.message;
    throw error;
  }
}

const pemOf = (label: string, der: Buffer) =>
  `-----BEGIN ${label}-----\n${der.toString("base64")}\n-----END ${label}-----\n`;

describe("A certificate file", () => {
  for (const [what, content] of [
    ["DER", leaf.der],
    ["PEM as text", leaf.pem],
    ["PEM as octets", Buffer.from(leaf.pem)],
    ["PEM with Windows line ends", leaf.pem.replaceAll("\n", "\r\n")],
    ["PEM behind a byte order mark and a comment", `\ufeffsubject=CN = x\n\n${leaf.pem}`],
    ["PEM with lines of any length and blanks", leaf.pem.replace(/([A-Za-z0-9+/=]{13})/g, "$1 \t\n ")],
    ["PEM in one line", leaf.pem.replaceAll("\n", " ")],
    ["PEM without any line break", leaf.pem.replaceAll("\n", "")],
    ["PEM with escaped line breaks", leaf.pem.replaceAll("\n", "\\n")],
    ["PEM of Windows in UTF-16", Buffer.from(`\ufeff${leaf.pem}`, "utf16le")],
    ["PEM under the old label", leaf.pem.replaceAll("CERTIFICATE", "X509 CERTIFICATE")],
    ["bare base64", `${base64}\n`],
  ] as const) {
    it(`is accepted as ${what}`, () => {
      const { der, intermediates } = readCertificateFile(content);
      expect(der.equals(leaf.der)).to.equal(true);
      expect(intermediates).to.deep.equal([]);
    });
  }

  it("yields the leaf of a bundle, in whatever order", () => {
    for (const order of [
      [leaf, issuing, root],
      [root, issuing, leaf],
      [issuing, leaf, root],
    ]) {
      const { der, intermediates } = readCertificateFile(order.map(({ pem }) => pem).join(""));
      expect(der.equals(leaf.der)).to.equal(true);
      expect(intermediates).to.deep.equal(order.filter((each) => each !== leaf).map((each) => each.der));
    }
  });

  it("yields the lowest authority of a bundle without a leaf", () => {
    expect(readCertificateFile(root.pem + issuing.pem).der.equals(issuing.der)).to.equal(true);
  });

  it("is refused with a private key in it, without revealing the key", () => {
    const key = String(keyOf("P-256", "leaf").export({ type: "pkcs8", format: "pem" }));
    for (const content of [key + leaf.pem, Buffer.from(leaf.pem + key), key.replace(/-----END.*/, "")]) {
      const message = messageOf(content) ?? "";
      expect(message).to.include("private key");
      expect(key.split("\n").some((line) => line.length > 10 && message.includes(line))).to.equal(false);
    }
  });

  for (const type of ["pkcs8", "sec1"] as const) {
    it(`is refused as a private key even without its PEM label: ${type}`, () => {
      const key = keyOf("P-256", "leaf").export({ type, format: "der" });
      for (const content of [key, key.toString("base64"), leaf.pem + pemOf("CERTIFICATE", key)])
        expect(messageOf(content)).to.include("private key");
    });
  }

  it("is refused quickly if it begins a block again and again", () => {
    const computed = startComputing();
    expect(messageOf("-----BEGIN CERTIFICATE-----\n".repeat(30_000))).to.include("more than 50");
    expect(computed()).to.be.below(2_000);
  });

  for (const [what, content] of [
    ["empty", ""],
    ["of words", "hello"],
    ["a request", leaf.pem.replaceAll("CERTIFICATE", "CERTIFICATE REQUEST")],
    ["PEM that is damaged", leaf.pem.replace("MII", "M*I")],
    ["PEM without an end", leaf.pem.replace(/-----END.*/, "")],
    ["of fifty-one certificates", leaf.pem.repeat(51)],
    ["base64 of something else", Buffer.from("hello").toString("base64")],
    ["larger than a mebibyte", Buffer.alloc(1_048_577, 0x30)],
  ] as const) {
    it(`is refused with a sentence when it is ${what}`, () => {
      expect(messageOf(content)).to.match(/^The .*\.$/);
    });
  }

  it("yields a certificate or a refusal, whatever its octets", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (octets) => {
        const content = Buffer.from(octets);
        if (messageOf(content) === undefined)
          expect(readCertificateFile(content).intermediates).to.be.an("array");
      }),
      { seed: 11, numRuns: 500 },
    );
  });
});
