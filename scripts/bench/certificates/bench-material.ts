import { readTppProfile } from "../../../packages/sandbox/src/certificates/read-tpp-profiles.ts";
import { issueServerCertificate } from "../../../packages/sandbox/src/certificates/server-certificate.ts";
import { createTestCa } from "../../../packages/sandbox/src/certificates/test-ca.ts";
import { presentAnchors } from "../../../packages/sandbox/src/certificates/test-ca-files.ts";
import { issueTppCertificate } from "../../../packages/sandbox/src/certificates/tpp-certificate.ts";

/** A certificate with its key, PEM. */
export interface BenchKeyPair {
  readonly certificate: string;
  readonly key: string;
}

/** Certificates of one run; P-256 keys throughout. */
export interface BenchMaterial {
  readonly server: BenchKeyPair;
  /** PEM of the authority that certifies the server. */
  readonly serverAuthority: string;
  /** A TPP's certificate followed by that of its issuing authority, as TPPs send it. */
  readonly tpp: BenchKeyPair;
  /** Text of the trust anchor file. */
  readonly anchors: string;
  /** PEM of the anchors, for the TLS listener. */
  readonly authorities: readonly string[];
  /** Signs OCSP answers: the issuing authority itself. */
  readonly responder: { readonly certificatePem: string; readonly privateKeyPem: string };
}

/** Issues the certificates of one run. */
export async function issueBenchMaterial(now: Date): Promise<BenchMaterial> {
  const ca = await createTestCa(now);
  const host = { commonName: "localhost", dnsNames: ["localhost"], ipAddresses: ["127.0.0.1"] };
  const sources = { ocsp: "http://ocsp.example/", crl: undefined };
  const server = await issueServerCertificate(ca, host, now);
  const tpp = await issueTppCertificate(ca, await readTppProfile("aisp-pisp"), { now, sources });
  return {
    server: { certificate: server.chainPem, key: server.privateKeyPem },
    serverAuthority: ca.web.certificatePem,
    tpp: { certificate: tpp.chainPem, key: tpp.privateKeyPem },
    anchors: presentAnchors(ca),
    authorities: [ca.qtspRoot.certificatePem, ca.qtspIssuing.certificatePem],
    responder: ca.qtspIssuing,
  };
}
