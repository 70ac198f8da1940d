import {
  type CarriedOut,
  carryOutOrder,
} from "../../../packages/sandbox/src/certificates/carry-out-order.ts";
import {
  type CertificateOrder,
  orderOfProfile,
} from "../../../packages/sandbox/src/certificates/certificate-order.ts";
import { readTppProfile } from "../../../packages/sandbox/src/certificates/read-tpp-profiles.ts";
import type { TestCa } from "../../../packages/sandbox/src/certificates/test-ca.ts";
import type { RevocationSources } from "../../../packages/sandbox/src/certificates/tpp-certificate.ts";

/** The right order that defects and oddities start from. */
export async function rightOrder(now: Date, sources: RevocationSources): Promise<CertificateOrder> {
  return orderOfProfile(await readTppProfile("aisp-pisp"), { now, sources });
}

/** Carries orders out, a few at a time: keys of some kinds take their time. */
export async function carryOutAll(
  orders: readonly CertificateOrder[],
  ca: TestCa,
): Promise<ReadonlyMap<string, CarriedOut>> {
  const carriedOut = await Promise.all(orders.map((order) => carryOutOrder(order, ca)));
  return new Map(carriedOut.map((each) => [each.name, each]));
}
