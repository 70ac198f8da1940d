import { once } from "node:events";
import { createServer } from "node:https";
import { createGuardedFetch, type Listener, openTlsListener, presentedCertificate } from "@cobs/service-edge";
import { expect } from "chai";
import { subjectAlternativeName } from "../../packages/sandbox/src/certificates/certificate-extension.ts";
import { createTestCa } from "../../packages/sandbox/src/certificates/test-ca.ts";
import {
  authorityPlan,
  extension,
  type Issued,
  inYears,
  issue,
  keyOf,
  qwacExtensions,
  qwacPlan,
  utcTime,
} from "../psd2-certificates/certificate-builder.ts";
import { answerTo } from "../support/answer-to.ts";
import { readableLog } from "../support/readable-log.ts";
import { writeServerKeyPair } from "../support/server-key-pair.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

describe("Callers' certificates with a key on a curve without a NIST name", () => {
  const folder = temporaryFolder();
  let listener: Listener;

  before(async () => {
    const now = new Date();
    const ca = await createTestCa(now);
    listener = await openTlsListener({
      name: "test",
      host: "127.0.0.1",
      port: 0,
      keyPair: await writeServerKeyPair(ca, folder.path, now),
      clientCertificates: { kind: "requested", authorities: () => [ca.private.certificatePem] },
      presentProtocolError: (status) => JSON.stringify({ status }),
      log: readableLog().log,
      handle: ({ socket }, response) => {
        const { der, intermediates = [] } = presentedCertificate(socket) ?? {};
        response.end(JSON.stringify([der, ...intermediates].map((each) => each?.toString("base64"))));
      },
    });
  });
  after(async () => {
    await listener.close(0);
    folder.remove();
  });

  /** What the server sees of a leaf and what is sent along with it. */
  async function seen(shown: readonly [Issued, ...Issued[]]): Promise<unknown> {
    const text = await answerTo(shown, listener.port);
    return JSON.parse(text.slice(text.indexOf("[")));
  }

  for (const curve of ["secp256k1", "brainpoolP256r1"] as const)
    it(`are seen as sent with an authority on ${curve}, although describing it ends Node.js 24 and 26`, async () => {
      const authority = issue(authorityPlan("Stranger", { key: keyOf(curve) }));
      const leaf = issue(qwacPlan(), authority);
      const sent = [leaf, authority].map(({ der }) => der.toString("base64"));
      expect(await seen([leaf, authority])).to.deep.equal(sent);
    });

  it("end no process as a caller's own one, which OpenSSL accepts from Node.js 24 on", async () => {
    const leaf = issue(qwacPlan({ key: keyOf("brainpoolP256r1") }));
    await seen([leaf]).catch(() => undefined);
    const usual = issue(qwacPlan());
    expect(await seen([usual])).to.deep.equal([usual.der.toString("base64")]);
  });
});

describe("Outside server that also sends an authority on such a curve", () => {
  const [until, notAfter] = [inYears(10), inYears(20)];
  const root = issue(authorityPlan("Root", { notAfter }));
  const issuing = issue(authorityPlan("Issuing", { notAfter }), root);
  // Node.js links the first one of the name, and OpenSSL believes the one that is in its time.
  const stranger = issue(
    authorityPlan("Issuing", { key: keyOf("brainpoolP256r1"), notAfter: utcTime("210101000000Z") }),
    root,
  );

  /** What is answered when a server with a certificate of this name is asked. */
  async function answerOf(dnsName: string): Promise<string> {
    const extensions = [...qwacExtensions(), extension(subjectAlternativeName([dnsName]))];
    const leaf = issue(qwacPlan({ notAfter: until, extensions }), issuing);
    const cert = [leaf, stranger, issuing].map(({ pem }) => pem).join("");
    const key = leaf.key.export({ type: "pkcs8", format: "pem" });
    const server = createServer({ cert, key }, (_request, response) => void response.end("answer"));
    await once(server.listen(0, "127.0.0.1"), "listening");
    const address = server.address();
    const port = typeof address === "object" ? address?.port : undefined;
    const way = createGuardedFetch({ allowsPrivateAddresses: true, authorities: [root.pem] });
    const asked = { url: new URL(`https://localhost:${port}/`), body: undefined, contentType: undefined };
    const limits = { accept: "*/*", limitOctets: 100, limitMilliseconds: 5_000 };
    try {
      return (await way.fetch({ ...asked, ...limits })).toString();
    } catch (error) {
      return String(error);
    } finally {
      await way.close();
      server.close();
    }
  }

  it("is asked without ending the process", async () => {
    expect(await answerOf("localhost")).to.equal("answer");
  });

  it("is not believed under another name (RFC 9110 section 4.3.4)", async () => {
    expect(await answerOf("elsewhere.example")).to.contain("does not match certificate's altnames");
  });
});
