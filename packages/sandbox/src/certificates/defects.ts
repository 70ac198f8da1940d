/**
 * Every way in which the test CA makes a certificate wrong. Each changes one thing in a right certificate, so that the
 * refusal can only come from that one thing; the tables by subject are in the folder beside this file.
 */
import { type CertificateOrder, withOwnSerial } from "./certificate-order.ts";
import { chainDefects } from "./defects/chain-defects.ts";
import type { Defect } from "./defects/defect.ts";
import { formDefects } from "./defects/form-defects.ts";
import { psd2Defects } from "./defects/psd2-defects.ts";
import { qualifiedDefects } from "./defects/qualified-defects.ts";
import { revocationDefects } from "./defects/revocation-defects.ts";
import { subjectDefects } from "./defects/subject-defects.ts";

/** All defects, from the outside of a certificate to its inside, and at last what its issuer says of it. */
export const defects: readonly Defect[] = [
  ...chainDefects,
  ...formDefects,
  ...qualifiedDefects,
  ...psd2Defects,
  ...subjectDefects,
  ...revocationDefects,
];

/** A right order with one thing wrong or odd, under the name of that or another one. */
export function orderWithChange(
  right: CertificateOrder,
  { name: usualName, change }: Pick<Defect, "name" | "change">,
  name = usualName,
): CertificateOrder {
  const named = withOwnSerial({ ...right, name });
  return { ...named, ...change(named) };
}
