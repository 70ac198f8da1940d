import { type Listener, openTlsListener, presentedCertificate } from "@cobs/service-edge";
import { expect } from "chai";
import {
  basicConstraints,
  extendedKeyUsage,
} from "../../packages/sandbox/src/certificates/certificate-extension.ts";
import { createTestCa } from "../../packages/sandbox/src/certificates/test-ca.ts";
import {
  authorityPlan,
  extension,
  type Issued,
  inYears,
  issue,
  keyOf,
  type Plan,
  qwacPlan,
  utcTime,
} from "../psd2-certificates/certificate-builder.ts";
import { answerTo } from "../support/answer-to.ts";
import { readableLog } from "../support/readable-log.ts";
import { writeServerKeyPair } from "../support/server-key-pair.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const notAfter = inYears(20);
const root = issue(authorityPlan("Root", { notAfter }));
const issuing = issue(authorityPlan("Issuing", { notAfter }), root);
const impostor = issue(authorityPlan("Issuing", { notAfter, key: keyOf("P-256", "impostor") }), root);
const leafOf = (issuer: Issued, changes: Partial<Plan> = {}) =>
  issue(qwacPlan({ notAfter: inYears(10), ...changes }), issuer);
const serverOnly = [extension(basicConstraints(false)), extension(extendedKeyUsage("serverAuth"))];

describe("Listener that trusts an issuing authority without its root (RFC 5280 6.1.1)", () => {
  const folder = temporaryFolder();
  let listener: Listener;

  before(async () => {
    const now = new Date();
    listener = await openTlsListener({
      name: "test",
      host: "127.0.0.1",
      port: 0,
      keyPair: await writeServerKeyPair(await createTestCa(now), folder.path, now),
      clientCertificates: { kind: "requested", authorities: () => [issuing.pem] },
      presentProtocolError: (status) => JSON.stringify({ status }),
      log: readableLog().log,
      handle: ({ socket }, response) =>
        void response.end(`verdict ${presentedCertificate(socket)?.tlsVerdict ?? "none"}.`),
    });
  });
  after(async () => {
    await listener.close(0);
    folder.remove();
  });

  /** What OpenSSL is told to have objected to. */
  async function verdictOn(shown: readonly [Issued, ...Issued[]]): Promise<string | undefined> {
    const [, verdict] = /verdict (\w+)\./.exec(await answerTo(shown, listener.port)) ?? [];
    return verdict;
  }

  it("accepts certificates of that authority, whatever was sent along", async () => {
    const leaf = leafOf(issuing);
    expect(await verdictOn([leaf])).to.equal("none");
    expect(await verdictOn([leaf, issuing])).to.equal("none");
    expect(await verdictOn([leaf, issuing, root])).to.equal("none");
  });

  const objections: readonly (readonly [what: string, Issued, verdict: string])[] = [
    ["has expired", leafOf(issuing, { notAfter: utcTime("260102000000Z") }), "CERT_HAS_EXPIRED"],
    ["is not yet valid", leafOf(issuing, { notBefore: inYears(5) }), "CERT_NOT_YET_VALID"],
    ["is not for clients", leafOf(issuing, { extensions: serverOnly }), "INVALID_PURPOSE"],
    ["was signed by an impostor of the same name", leafOf(impostor), "CERT_SIGNATURE_FAILURE"],
    ["was issued by another authority of the same root", leafOf(root), "UNABLE_TO_VERIFY_LEAF_SIGNATURE"],
  ];
  for (const [what, leaf, verdict] of objections)
    it(`still objects to one that ${what}`, async () => {
      expect(await verdictOn([leaf])).to.equal(verdict);
      expect(await verdictOn([leaf, issuing])).to.equal(verdict);
    });
});
