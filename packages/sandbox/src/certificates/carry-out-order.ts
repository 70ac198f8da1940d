import { createHash, type KeyObject } from "node:crypto";
import { generatePrivateKey, type KeyType } from "./certificate-key.ts";
import type { CertificateOrder } from "./certificate-order.ts";
import { encodeExtension, encodeName, type PlanSigner, presentPem, signPlan } from "./certificate-plan.ts";
import type { RevocationReason } from "./crl.ts";
import type { IssuedCertificate } from "./issue-certificate.ts";
import { keyIdentifiers, signerOf } from "./sign-certificate.ts";
import type { TestCa } from "./test-ca.ts";

/** The outcome of an order. */
export type CarriedOut = {
  readonly name: string;
  /** May be a certificate that OpenSSL cannot read. */
  readonly issued: IssuedCertificate;
  readonly der: Buffer;
  /** Hexadecimal, as in the certificate. */
  readonly serialNumber: string;
  readonly revoked: RevocationReason | undefined;
  /** The authorities issued with it, the lowest first. */
  readonly authorities: readonly CarriedOut[];
};

/** What carrying out orders needs; `makeKey` can take keys that are slow to make from a store. */
export type OrderMeans = { readonly ca: TestCa; readonly makeKey?: (type: KeyType) => Promise<KeyObject> };

/** Makes the key, issues the ordered authorities above, and signs the certificate. Nothing is validated. */
export async function carryOutOrder(order: CertificateOrder, means: OrderMeans): Promise<CarriedOut> {
  const key = await (means.makeKey ?? generatePrivateKey)(order.keyType);
  const above = await issuerOf(order, means);
  const signer = above.signer ?? { name: encodeName(order.subject), key };
  const identifiers = keyIdentifiers(key, signer);
  const { version, serial, subject, notBefore, notAfter, signedWith, outerAlgorithm } = order;
  const extensions = [...order.extensions, ...identifiers].map(encodeExtension);
  const plan = { version, serial, subject, notBefore, notAfter, extensions, key, signedWith, outerAlgorithm };
  const der = order.afterSigning(signPlan(plan, signer));
  const pem = presentPem("CERTIFICATE", der);
  return {
    name: order.name,
    issued: {
      certificatePem: pem,
      chainPem: pem + above.chainPem,
      privateKeyPem: key.export({ type: "pkcs8", format: "pem" }).toString(),
      thumbprint: createHash("sha256").update(der).digest("base64url"),
    },
    der,
    serialNumber: Buffer.from(serial.subarray(2)).toString("hex"),
    revoked: order.revoked,
    authorities: above.authorities,
  };
}

type Above = {
  readonly signer: PlanSigner | undefined;
  readonly chainPem: string;
  readonly authorities: readonly CarriedOut[];
};

async function issuerOf({ issuer }: CertificateOrder, means: OrderMeans): Promise<Above> {
  if (issuer.kind === "itself") return { signer: undefined, chainPem: "", authorities: [] };
  if (issuer.kind === "ordered") {
    const carriedOut = await carryOutOrder(issuer.order, means);
    return {
      signer: signerOf(carriedOut.issued),
      chainPem: issuer.presented ? carriedOut.issued.chainPem : "",
      authorities: [carriedOut, ...carriedOut.authorities],
    };
  }
  const authority = issuer.kind === "issuing" ? means.ca.qtspIssuing : means.ca.unknownIssuing;
  return { signer: signerOf(authority), chainPem: authority.chainPem, authorities: [] };
}
