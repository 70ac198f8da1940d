import { readFileSync } from "node:fs";
import { connect } from "node:tls";
import type { ForwardedFormat, KeyPairFiles } from "@cobs/service-edge";
import { expect } from "chai";
import { issueProxyCertificate, PROXY_NAME } from "../../../packages/sandbox/src/proxy/write-proxy-files.ts";
import { FORGED_NAMES, forgedValues } from "../../support/forged-headers.ts";
import { movableClock } from "../../support/movable-clock.ts";
import { rejectionOf } from "../../support/rejection.ts";
import { testCertificates } from "../../support/test-certificates.ts";
import { tppCertificate } from "./certificates.ts";
import { type ForwardedOrigin, hashOf, openForwardedOrigin } from "./forwarded-origin.ts";
import { byteSequence, envoyElement, escapedPem } from "./header-values.ts";

interface KeyPair {
  readonly cert: string;
  readonly key: string;
}

const HEADERS = {
  rfc9440: { name: "Client-Cert", write: byteSequence },
  nginx: { name: "X-SSL-Client-Cert", write: (der: Buffer) => escapedPem(der) },
  envoy: { name: "x-forwarded-client-cert", write: (der: Buffer) => envoyElement(der) },
} as const;
const FORMATS: readonly ForwardedFormat[] = ["rfc9440", "nginx", "envoy"];

const readFiles = ({ certificateFile, keyFile }: KeyPairFiles): KeyPair => ({
  cert: readFileSync(certificateFile, "utf8"),
  key: readFileSync(keyFile, "utf8"),
});

describe("Listener for TPPs", () => {
  let der: Buffer;
  let issuer: Buffer;
  let other: Buffer;
  let tpp: KeyPair;
  let proxy: KeyPair;
  let machine: KeyPair;
  before(async () => {
    const certificates = await testCertificates();
    ({ der, issuer } = await tppCertificate("aisp-pisp"));
    ({ der: other } = await tppCertificate("second-tpp"));
    const files = certificates.tpp.find(({ name }) => name === "aisp-pisp");
    if (files === undefined) throw new Error("there is no certificate aisp-pisp");
    tpp = readFiles(files);
    machine = readFiles(certificates.bank.resource);
    proxy = await issueProxyCertificate(certificates);
  });

  describe("with TLS as the source of certificates, the default", () => {
    let origin: ForwardedOrigin;
    before(async () => {
      origin = await openForwardedOrigin({ kind: "tls" });
    });
    after(() => origin.close());

    it("takes the certificate of the handshake, and reads no header in any spelling", async () => {
      for (const name of FORGED_NAMES)
        for (const value of Object.values(forgedValues(other))) {
          expect((await origin.call({}, { [name]: value })).body, name).to.equal('"absent"');
          expect((await origin.call(tpp, { [name]: value })).body, name).to.equal(`"${hashOf(der)}"`);
        }
    });
  });

  for (const format of FORMATS) {
    const { name, write } = HEADERS[format];

    describe(`behind a proxy that speaks ${format}`, () => {
      let origin: ForwardedOrigin;
      before(async () => {
        origin = await openForwardedOrigin({ kind: "forwarded", format, proxies: new Set([PROXY_NAME]) });
      });
      after(() => origin.close());

      it("takes the certificate from the proxy's header, in any letter case", async () => {
        for (const spelling of [name, name.toLowerCase(), name.toUpperCase()])
          expect((await origin.call(proxy, { [spelling]: write(der) })).body).to.equal(`"${hashOf(der)}"`);
      });

      it("never takes the proxy's certificate for the TPP's: without the header there is none", async () => {
        expect((await origin.call(proxy)).body).to.equal('"absent"');
      });

      it("reads no header of another format", async () => {
        const others = FORGED_NAMES.filter((each) => each.toLowerCase() !== name.toLowerCase());
        for (const each of others)
          for (const value of Object.values(forgedValues(other))) {
            const forged = { [each]: value };
            expect((await origin.call(proxy, forged)).body, each).to.equal('"absent"');
            const beside = await origin.call(proxy, { [name]: write(der), ...forged });
            const believed =
              name === "Client-Cert" && each === "Client-Cert-Chain"
                ? [hashOf(der), "unreadable"]
                : [hashOf(der)];
            expect(believed, each).to.include(JSON.parse(beside.body));
          }
      });

      it("treats a header that came twice as unreadable, even when both are equal (RFC 9440 2.2)", async () => {
        for (const twice of [
          [write(der), write(other)],
          [write(der), write(der)],
          [write(der), ""],
        ])
          expect((await origin.call(proxy, { [name]: twice })).body).to.equal('"unreadable"');
        expect((await origin.call(proxy, { [name]: twice(write(der), write(other)) })).body).to.equal(
          '"unreadable"',
        );
      });

      it("treats a header that came twice as unreadable, however many headers stand in between", async () => {
        const between = Array.from({ length: 2_100 }, () => "a:");
        const lines = [`${name}: ${write(other)}`, ...between, `${name}: ${write(der)}`];
        expect(await exchange(lines)).to.match(/"unreadable"$/);
      });

      it("treats anything not exactly of the format as unreadable, and logs why", async () => {
        for (const value of ["", "(null)", "-", der.toString("base64"), `${write(der)} x`])
          expect((await origin.call(proxy, { [name]: value })).body, value).to.equal('"unreadable"');
        expect(origin.logLines.findLast(({ detail }) => detail !== undefined)).to.include({ header: name });
        for (const another of FORMATS.filter((each) => each !== format))
          expect((await origin.call(proxy, { [name]: HEADERS[another].write(der) })).body).to.equal(
            '"unreadable"',
          );
      });

      it("gives the same object for the same header value, and another one for another", async () => {
        const before = origin.calls.length;
        for (const each of [der, other, der, other]) await origin.call(proxy, { [name]: write(each) });
        const [first, second, third, fourth] = origin.calls
          .slice(before)
          .map(({ presentedCertificate }) => presentedCertificate);
        expect(first?.der.equals(der)).to.equal(true);
        expect(second?.der.equals(other)).to.equal(true);
        expect(third).to.equal(first);
        expect(fourth).to.equal(second);
        expect(first).to.be.frozen;
      });

      it("gives no verdict of TLS, which has not seen the certificate", async () => {
        await origin.call(proxy, { [name]: write(der) });
        expect(origin.calls.at(-1)?.presentedCertificate).to.have.property("tlsVerdict", undefined);
      });

      it("refuses connections whose certificate is not from the private CA, a TPP's included", async () => {
        const answered = origin.calls.length;
        await rejectionOf(origin.call({}, { [name]: write(der) }));
        await rejectionOf(origin.call(tpp, { [name]: write(der) }));
        expect(origin.calls).to.have.length(answered);
      });

      it("closes the connection of any other machine of the bank, whatever it sends", async () => {
        const answered = origin.calls.length;
        for (const headers of [{}, { [name]: write(der) }, { host: "elsewhere" }])
          await rejectionOf(origin.call(machine, headers));
        expect(origin.calls).to.have.length(answered);
        expect(origin.logLines.at(-1)).to.include({ commonName: "resource" });
      });

      it("closes the connection of a machine whose name only looks like the proxy's", async () => {
        const certificates = await testCertificates();
        for (const lookalike of [
          PROXY_NAME.toUpperCase(),
          `${PROXY_NAME}.`,
          `CN=${PROXY_NAME}`,
          ` ${PROXY_NAME}`,
        ])
          await rejectionOf(origin.call(await issueProxyCertificate(certificates, lookalike)));
      });

      it("ignores header names that only look like the proxy's", async () => {
        const value = write(der);
        for (const [what, lines] of Object.entries({
          "an underscore": [`${name.replaceAll("-", "_")}: ${value}`],
          "a trailer": ["Transfer-Encoding: chunked", `Trailer: ${name}`, "", "0", `${name}: ${value}`],
          "a prefix": [`X-${name}: ${value}`],
          "a parameter of Connection": [`Connection: ${name}`],
        }))
          expect(await exchange(lines), what).to.match(/^HTTP\/1\.1 200 .*"absent"$/s);
      });

      it("answers 400 to a header with a space in its name, a folded value or NUL (RFC 9112 5.1, 5.2)", async () => {
        const value = write(der);
        for (const line of [
          `${name} : ${value}`,
          `${name}: ${value.slice(0, 80)}\r\n ${value.slice(80)}`,
          `${name}: ${value}\0`,
          ` ${name}: ${value}`,
        ])
          expect(await exchange([line]), JSON.stringify(line.slice(0, 40))).to.match(/^HTTP\/1\.1 400 /);
      });

      it("reads the header the same over HTTP/1.0 and with a whole URL as target (RFC 9112 3.2.2)", async () => {
        const line = `${name}: ${write(der)}`;
        const whole = await exchange([line], "GET https://localhost/certificate HTTP/1.1");
        expect(whole).to.include(hashOf(der));
        expect(await exchange([line], "GET /certificate HTTP/1.0")).to.include(hashOf(der));
      });

      /** Sends lines as they are over the proxy's connection, and gives all that comes back. */
      async function exchange(
        lines: readonly string[],
        start = "GET /certificate HTTP/1.1",
      ): Promise<string> {
        const { caFile } = await testCertificates();
        const socket = connect({ port: origin.port, host: "localhost", ca: readFileSync(caFile), ...proxy });
        const folded = [start, "Host: localhost", ...lines].join("\r\n");
        socket.write(`${folded}\r\n\r\n`, "latin1");
        return new Promise((resolve, reject) => {
          let text = "";
          socket.on("data", (chunk) => {
            text += chunk;
            if (/"(absent|unreadable|[\w-]{43})"/.test(text)) socket.end();
          });
          socket.once("error", reject).once("close", () => resolve(text.trim().replace(/\r\n0$/, "")));
        });
      }
    });
  }

  it("closes the proxy's connection when the proxy's certificate expires, even while in use", async () => {
    const clock = movableClock();
    const proxies = new Set([PROXY_NAME]);
    const origin = await openForwardedOrigin({ kind: "forwarded", format: "rfc9440", proxies }, clock);
    try {
      const leaf = { "Client-Cert": byteSequence(der) };
      expect((await origin.call(proxy, leaf)).status).to.equal(200);
      clock.advance(10 * 366 * 86_400_000);
      await rejectionOf(origin.call(proxy, leaf));
      expect(origin.calls).to.have.length(1);
      expect(origin.logLines.at(-1)?.msg).to.match(/has expired/);
    } finally {
      await origin.close();
    }
  });

  it("takes the chain of RFC 9440, once and only beside a certificate", async () => {
    const proxies = new Set([PROXY_NAME]);
    const origin = await openForwardedOrigin({ kind: "forwarded", format: "rfc9440", proxies });
    try {
      const leaf = { "Client-Cert": byteSequence(der) };
      await origin.call(proxy, { ...leaf, "Client-Cert-Chain": byteSequence(issuer) });
      await origin.call(proxy, leaf);
      const [withChain, without] = origin.calls.map(({ presentedCertificate }) => presentedCertificate);
      expect(withChain?.intermediates).to.deep.equal([issuer]);
      expect(without?.intermediates).to.deep.equal([]);
      const twice = { ...leaf, "Client-Cert-Chain": [byteSequence(issuer), byteSequence(issuer)] };
      expect((await origin.call(proxy, twice)).body).to.equal('"unreadable"');
      const alone = { "Client-Cert-Chain": byteSequence(der) };
      expect((await origin.call(proxy, alone)).body).to.equal('"absent"');
    } finally {
      await origin.close();
    }
  });
});

/** One text with both, as a proxy joins a header that came twice (RFC 9110 5.3). */
function twice(first: string, second: string): string {
  return `${first}, ${second}`;
}
