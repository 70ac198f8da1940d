/**
 * Every defect and oddity of the test CA as a certificate with its key, and the responder that knows which of them are revoked.
 * Made once per test, which decides where to present them.
 */
import { createPublicKey, type KeyObject } from "node:crypto";
import type { PresentedCertificate } from "@cobs/psd2-certificates";
import { type CarriedOut, carryOutOrder } from "../../packages/sandbox/src/certificates/carry-out-order.ts";
import { generatePrivateKey, type KeyType } from "../../packages/sandbox/src/certificates/certificate-key.ts";
import {
  type CertificateOrder,
  orderOfProfile,
} from "../../packages/sandbox/src/certificates/certificate-order.ts";
import { defects, orderWithChange } from "../../packages/sandbox/src/certificates/defects.ts";
import { oddities } from "../../packages/sandbox/src/certificates/oddities.ts";
import { readTppProfile } from "../../packages/sandbox/src/certificates/read-tpp-profiles.ts";
import type { SandboxCertificates } from "../../packages/sandbox/src/certificates/sandbox-certificates.ts";
import type { TestCa } from "../../packages/sandbox/src/certificates/test-ca.ts";
import { readTestCa } from "../../packages/sandbox/src/certificates/test-ca-files.ts";
import { readAnsweringAuthorities } from "../../packages/sandbox/src/revocation/answering-authorities.ts";
import {
  openRevocationResponder,
  revocationUrls,
} from "../../packages/sandbox/src/revocation/revocation-responder.ts";
import { freePort } from "./free-port.ts";

/** All certificates of the matrix by name; the correct one is `aisp-pisp`. */
export interface CertificateMatrix {
  certificate(name: string): CarriedOut;
  close(): Promise<void>;
}

/** Issues them under the test CA of these certificates; writes nothing into its folder. */
export async function issueCertificateMatrix({ directory }: SandboxCertificates): Promise<CertificateMatrix> {
  const now = new Date();
  const port = await freePort();
  const right = orderOfProfile(await readTppProfile("aisp-pisp"), { now, sources: revocationUrls(port) });
  const orders = [
    right,
    ...defects.map((defect) => orderWithChange(right, defect)),
    ...oddities.map((oddity) => orderWithChange(right, oddity)),
  ];
  const leaves = await carryOutAll(orders, await readTestCa(directory));
  const byName = new Map(leaves.map((each) => [each.name, each]));
  const responder = await openRevocationResponder({ ...stateOf(directory, leaves, now), port });
  return {
    certificate: (name) => {
      const found = byName.get(name);
      if (found === undefined) throw new TypeError(`the matrix has no ${name}`);
      return found;
    },
    close: () => responder.stop(),
  };
}

const pemForm = /-----BEGIN CERTIFICATE-----([^-]+)-----END CERTIFICATE-----/g;

/** What a peer would present: the chain as it is in its file, which not every reader can parse. */
export function presentedOf({ der, issued }: CarriedOut): PresentedCertificate {
  const chain = [...issued.chainPem.matchAll(pemForm)].map(([, body = ""]) => Buffer.from(body, "base64"));
  return { der, intermediates: chain.slice(1), tlsVerdict: undefined };
}

/** Carries out orders with one shared key per RSA key size, because generating another takes a second. */
export async function carryOutAll(
  orders: readonly CertificateOrder[],
  ca: TestCa,
): Promise<readonly CarriedOut[]> {
  const kept = new Map<KeyType, Promise<KeyObject>>();
  const makeKey = (type: KeyType) => {
    const key = kept.get(type) ?? generatePrivateKey(type);
    if (type.startsWith("RSA-")) kept.set(type, key);
    return key;
  };
  return Promise.all(orders.map((order) => carryOutOrder(order, { ca, makeKey })));
}

function stateOf(directory: string, leaves: readonly CarriedOut[], now: Date) {
  const ordered = leaves.flatMap(({ authorities }) => authorities);
  const revoked = [...leaves, ...ordered].flatMap(({ serialNumber, revoked: reason }) =>
    reason === undefined ? [] : [{ serialNumber, revokedAt: now, reason }],
  );
  return {
    authorities: async () =>
      new Map([
        ...(await readAnsweringAuthorities(directory)),
        ...ordered.filter(canAnswer).map(({ name, issued }) => [name, issued] as const),
      ]),
    revoked: { list: async () => revoked },
  };
}

/** Whether an authority can answer; not if its certificate is unreadable. */
function canAnswer({ issued }: CarriedOut): boolean {
  try {
    createPublicKey(issued.certificatePem);
    return true;
  } catch {
    return false;
  }
}
