/**
 * Every way in which the test CA makes a certificate wrong. Each changes one thing in a valid certificate, so that only that
 * can be the reason for the refusal. The folder beside this file has the tables by subject.
 */
import { type CertificateOrder, withOwnSerial } from "./certificate-order.ts";
import { chainDefects } from "./defects/chain-defects.ts";
import type { Defect } from "./defects/defect.ts";
import { formDefects } from "./defects/form-defects.ts";
import { psd2Defects } from "./defects/psd2-defects.ts";
import { qualifiedDefects } from "./defects/qualified-defects.ts";
import { revocationDefects } from "./defects/revocation-defects.ts";
import { subjectDefects } from "./defects/subject-defects.ts";

/** All defects: first those of the chain, then of the certificate from outside to inside, last those of its revocation. */
export const defects: readonly Defect[] = [
  ...chainDefects,
  ...formDefects,
  ...qualifiedDefects,
  ...psd2Defects,
  ...subjectDefects,
  ...revocationDefects,
];

/** Applies one defect or oddity to a valid order, and names the order after it or as given. */
export function orderWithChange(
  right: CertificateOrder,
  { name: usualName, change }: Pick<Defect, "name" | "change">,
  name = usualName,
): CertificateOrder {
  const named = withOwnSerial({ ...right, name });
  return { ...named, ...change(named) };
}
