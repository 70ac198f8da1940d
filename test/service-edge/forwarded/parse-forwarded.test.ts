import { expect } from "chai";
import fc from "fast-check";
import { ForwardedFault } from "../../../packages/service-edge/src/tls/forwarded/forwarded-certificate.ts";
import { parseClientCert } from "../../../packages/service-edge/src/tls/forwarded/parse-client-cert.ts";
import { parseEnvoyCertificate } from "../../../packages/service-edge/src/tls/forwarded/parse-envoy-certificate.ts";
import { parseNginxCertificate } from "../../../packages/service-edge/src/tls/forwarded/parse-nginx-certificate.ts";
import { startComputing } from "../../support/stopwatch.ts";
import { tppCertificate } from "./certificates.ts";
import { byteSequence, envoyElement, escapeAsProxies, escapedPem } from "./header-values.ts";

const FUZZ_RUNS = 5_000;
const SEED = 20_261_121;

/** A text one edit away from a good one: cut, doubled, swapped or with a strange character. */
function mutationsOf(good: readonly string[]): fc.Arbitrary<string> {
  const strange = fc.constantFrom(
    "",
    ":",
    ";",
    ",",
    '"',
    "\\",
    "=",
    "%",
    "%00",
    "%0",
    " ",
    "\t",
    "\u00ff",
    "A",
    "Cert=",
  );
  return fc.tuple(fc.constantFrom(...good), fc.nat(), fc.nat(60), strange).map(([text, at, cut, put]) => {
    const place = at % (text.length + 1);
    return text.slice(0, place) + put + text.slice(place + cut);
  });
}

/** Bytes, or a refusal of ours: nothing else may come out. */
function expectBytesOrRefusal(parse: () => { readonly der: Buffer }): void {
  try {
    expect(parse().der.length).to.be.greaterThan(0);
  } catch (error) {
    if (!(error instanceof ForwardedFault)) throw error;
  }
}

describe("Parser of proxies' certificate headers", () => {
  let der: Buffer;
  let issuer: Buffer;
  let other: Buffer;
  before(async () => {
    ({ der, issuer } = await tppCertificate("aisp-pisp"));
    ({ der: other } = await tppCertificate("second-tpp"));
  });

  const expectRefused = (refused: Readonly<Record<string, string>>, parse: (value: string) => unknown) => {
    for (const [what, value] of Object.entries(refused))
      expect(() => parse(value), what).to.throw(ForwardedFault);
  };

  describe("for Client-Cert (RFC 9440)", () => {
    it("accepts one byte sequence (2.2)", () => {
      expect(parseClientCert(byteSequence(der), undefined)).to.deep.equal({ der, intermediates: [] });
    });

    it("accepts a chain, which is a list without the leaf (2.3)", () => {
      const chain = `${byteSequence(issuer)} \t, ${byteSequence(other)}`;
      expect(parseClientCert(byteSequence(der), chain).intermediates).to.deep.equal([issuer, other]);
    });

    it("refuses anything that is not exactly one byte sequence", () => {
      const good = byteSequence(der);
      const base64 = der.toString("base64");
      const refused = {
        "no colons": base64,
        "one colon": `:${base64}`,
        "another character for the first colon": `;${base64}:`,
        "another character for the second colon": `:${base64};`,
        empty: "",
        "an empty sequence": "::",
        "a colon alone": ":",
        "a list of two": `${good}, ${good}`,
        "a list of two without space": `${good},${byteSequence(other)}`,
        "a parameter": `${good};verified`,
        "a space inside": `:${base64.slice(0, 40)} ${base64.slice(40)}:`,
        "a space at an end": `: ${base64}:`,
        "a line break, folded": `:${base64.slice(0, 64)}\r\n ${base64.slice(64)}:`,
        NUL: `:${base64.slice(0, 40)}\0${base64.slice(40)}:`,
        base64url: `:${Buffer.concat([Buffer.from([255, 254, 253]), der]).toString("base64url")}:`,
        "no padding": `:${Buffer.from("a").toString("base64").replace(/=/g, "")}:`,
        "bits left over": ":QR==:",
        "too much padding": `:${Buffer.from("abc").toString("base64")}=:`,
        "a string": `"${base64}"`,
        PEM: escapedPem(der),
        "an element of Envoy": envoyElement(der),
      };
      expectRefused(refused, (value) => parseClientCert(value, undefined));
    });

    it("refuses a chain that is not a list of byte sequences, or of more than eight", () => {
      const good = byteSequence(issuer);
      const refused = {
        "a comma at the end": `${good},`,
        "a comma at the start": `,${good}`,
        "two commas": `${good},,${good}`,
        "a parameter": `${good};a`,
        "a member of two": `${good} ${good}`,
        nine: Array.from({ length: 9 }, () => good).join(", "),
        "an inner list": `(${good})`,
        "spaces alone": "  ",
        "another space": `\u00a0${good}`,
      };
      expectRefused(refused, (chain) => parseClientCert(byteSequence(der), chain));
      const eight = Array.from({ length: 8 }, () => good).join(",");
      expect(parseClientCert(byteSequence(der), eight).intermediates).to.have.length(8);
    });
  });

  describe("for nginx's $ssl_client_escaped_cert", () => {
    it("accepts one certificate as URL-encoded PEM", () => {
      expect(parseNginxCertificate(escapedPem(der))).to.deep.equal({ der, intermediates: [] });
    });

    it("refuses anything that is not exactly one URL-encoded PEM certificate", () => {
      const good = escapedPem(der);
      const pem = decodeURIComponent(good);
      const refused = {
        empty: "",
        "two certificates": escapedPem(der, issuer),
        "PEM as it is": pem,
        "tabs, as in $ssl_client_cert": pem.replaceAll("\n", "\n\t"),
        "something before": `a${good}`,
        "something after": `${good}a`,
        "a line break after": `${good}%0A`,
        "another label": good.replaceAll("CERTIFICATE", "TRUSTED%20CERTIFICATE"),
        "small letters in an escape": good.replaceAll("%0A", "%0a"),
        "an escape of a letter": good.replace("M", "%4D"),
        NUL: good.replace("%0A", "%0A%00"),
        "a broken escape": `${good}%`,
        "a broken character": `${good}%FF`,
        "plus for space": good.replaceAll("%20", "+"),
        "carriage returns": escapeAsProxies(pem.replaceAll("\n", "\r\n")),
        "one long line": escapeAsProxies(pem.replace(/(?<=[A-Za-z0-9+/])\n(?=[A-Za-z0-9+/])/g, "")),
        "an empty certificate": escapeAsProxies("-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----\n"),
        "bits left over": escapeAsProxies("-----BEGIN CERTIFICATE-----\nQR==\n-----END CERTIFICATE-----\n"),
        "a header in the PEM": good.replace("%0A", "%0AProc-Type%0A"),
        "a byte sequence": byteSequence(der),
        "an element of Envoy": envoyElement(der),
      };
      expectRefused(refused, parseNginxCertificate);
    });
  });

  describe("for Envoy's x-forwarded-client-cert", () => {
    it("accepts one element with Cert in quotes", () => {
      expect(parseEnvoyCertificate(envoyElement(der))).to.deep.equal({ der, intermediates: [] });
      expect(parseEnvoyCertificate(`Cert="${escapedPem(der)}"`).der).to.deep.equal(der);
    });

    it("accepts a chain that begins with the leaf", () => {
      const element = envoyElement(der, `Chain="${escapedPem(der, issuer)}"`);
      expect(parseEnvoyCertificate(element).intermediates).to.deep.equal([issuer]);
    });

    it("accepts further pairs with any content, and several names", () => {
      const subject = String.raw`Subject="CN=a \"b\" \\, c;Cert=\"d\",O=e"`;
      const element = envoyElement(
        der,
        subject,
        "URI=spiffe://a/b?c=d",
        "DNS=a.example",
        "DNS=b.example",
        "New=",
      );
      expect(parseEnvoyCertificate(`By=spiffe://bank/proxy;${element}`).der).to.deep.equal(der);
    });

    it("refuses anything that is not exactly one such element", () => {
      const good = envoyElement(der);
      const cert = `Cert="${escapedPem(der)}"`;
      const refused = {
        empty: "",
        "no Cert": good.split(";")[0] ?? "",
        "a second element": `${good},${envoyElement(other)}`,
        "an empty second element": `${good},`,
        "an element in front": `By=a,${good}`,
        "Cert twice": `${good};Cert="${escapedPem(other)}"`,
        "the same Cert twice": `${good};${cert}`,
        "Hash twice": `Hash=${"0".repeat(64)};${good}`,
        "Subject twice": `Subject="a";${good};Subject="b"`,
        "Hash of another": good.replace(/Hash=[0-9a-f]{64}/, `Hash=${"0".repeat(64)}`),
        "Hash in capitals": good.replace(
          /Hash=[0-9a-f]{64}/,
          (hash) => `Hash=${hash.slice(5).toUpperCase()}`,
        ),
        "Cert without quotes": `Cert=${escapedPem(der)}`,
        "quotes that do not end": `Cert="${escapedPem(der)}`,
        "something behind the quotes": `${cert}a`,
        "a semicolon at the end": `${cert};`,
        "a space between pairs": `Hash=a; ${cert}`,
        "two certificates": `Cert="${escapedPem(der, issuer)}"`,
        "an escape in Cert": `Cert="\\${escapedPem(der)}"`,
        "an empty Cert": 'Cert=""',
        "another key alone": `cert="${escapedPem(der)}"`,
        "a chain of another": envoyElement(der, `Chain="${escapedPem(other, issuer)}"`),
        "a chain of ten": envoyElement(
          der,
          `Chain="${escapedPem(der, ...Array.from({ length: 9 }, () => issuer))}"`,
        ),
        "a chain without quotes": envoyElement(der, `Chain=${escapedPem(der)}`),
        "a byte sequence": byteSequence(der),
        "PEM alone": escapedPem(der),
      };
      expectRefused(refused, parseEnvoyCertificate);
      const nine = `Chain="${escapedPem(der, ...Array.from({ length: 8 }, () => issuer))}"`;
      expect(parseEnvoyCertificate(envoyElement(der, nine)).intermediates).to.have.length(8);
    });

    it("refuses names of the certificate that add pairs or elements", () => {
      const stolen = `Cert="${escapedPem(other)}"`;
      for (const name of [`a;${stolen}`, `a,${stolen}`, `a,By=b;${stolen}`, 'a";x="'])
        expect(() => parseEnvoyCertificate(envoyElement(der, `DNS=${name}`)), name).to.throw(ForwardedFault);
    });
  });

  it("gives bytes or a refusal, whatever is sent", function () {
    this.timeout(120_000);
    const good = [
      byteSequence(der),
      `${byteSequence(issuer)}, ${byteSequence(other)}`,
      escapedPem(der),
      envoyElement(der, `Chain="${escapedPem(der, issuer)}"`, String.raw`Subject="CN=\"a\""`),
    ];
    const anything = fc.oneof(mutationsOf(good), fc.string({ unit: "binary", maxLength: 200 }));
    fc.assert(
      fc.property(anything, (text) => {
        expectBytesOrRefusal(() => parseClientCert(text, undefined));
        expectBytesOrRefusal(() => parseClientCert(byteSequence(der), text));
        expectBytesOrRefusal(() => parseNginxCertificate(text));
        expectBytesOrRefusal(() => parseEnvoyCertificate(text));
      }),
      { numRuns: FUZZ_RUNS, seed: SEED },
    );
  });

  it("is quick even with input made to be slow", () => {
    const long = 16_384;
    const slow = [" ", "\t", ":", "\\", '"', "a=", "%0A", "A", "=", ";", "a;"].flatMap((part) => {
      const run = part.repeat(long / part.length);
      return [run, `:${run}`, `Cert="${run}`, `Subject="${run}`, `-----BEGIN%20CERTIFICATE-----%0A${run}`];
    });
    const computed = startComputing();
    for (const text of slow) {
      expectBytesOrRefusal(() => parseClientCert(byteSequence(der), text));
      expectBytesOrRefusal(() => parseNginxCertificate(text));
      expectBytesOrRefusal(() => parseEnvoyCertificate(text));
    }
    expect(computed()).to.be.below(1_000);
  });
});
