import * as extension from "./certificate-extension.ts";
import {
  type CertificateDescription,
  type IssuedCertificate,
  issueCertificate,
} from "./issue-certificate.ts";
import { subjectOids } from "./subject-attribute.ts";
import type { TestCa } from "./test-ca.ts";
import { daysAround } from "./validity.ts";

/** A machine's common name, and the names and addresses under which it is reached. */
export type MachineName = {
  readonly commonName: string;
  readonly dnsNames: readonly string[];
  readonly ipAddresses: readonly string[];
};

/** A machine or caller of the bank, and its purposes under the private CA. */
export type PrivateName = MachineName & { readonly purposes: readonly extension.Purpose[] };

/** Validity of a machine's certificate: 398 days in all, the longest that browsers accept. */
export const machineDays = { fromDays: -1, untilDays: 397 };

/** Issues a server certificate of a public listener from the web CA, valid for `machineDays`. */
export async function issueServerCertificate(
  ca: TestCa,
  name: MachineName,
  now: Date,
): Promise<IssuedCertificate> {
  return issueCertificate(ca.web, describeMachine({ ...name, purposes: ["serverAuth"] }, now));
}

/** Issues a certificate of the bank's own server or caller from the private CA, valid for `machineDays`. */
export async function issuePrivateCertificate(
  ca: TestCa,
  name: PrivateName,
  now: Date,
): Promise<IssuedCertificate> {
  return issueCertificate(ca.private, describeMachine(name, now));
}

function describeMachine(name: PrivateName, now: Date): CertificateDescription {
  return {
    subject: [{ oid: subjectOids.commonName, value: name.commonName }],
    validity: daysAround(now, machineDays),
    extensions: [
      extension.basicConstraints(false),
      extension.keyUsage("digitalSignature"),
      extension.extendedKeyUsage(...name.purposes),
      extension.subjectAlternativeName(name.dnsNames, name.ipAddresses),
    ],
  };
}
