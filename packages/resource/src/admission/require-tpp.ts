import { CertificateRefusal, type CertificateVerifier } from "@cobs/psd2-certificates";
import { type Attempt, type OfTpp, refusalOf } from "./attempt.ts";

/** Rows 2 and 3: verifies the presented certificate anew on every call; refuses with any code of psd2-certificates. */
export function requireTpp<A extends Attempt>(attempt: A, verifier: CertificateVerifier): OfTpp<A> {
  try {
    return { ...attempt, tpp: verifier.verify(attempt.call.presentedCertificate, attempt.now) };
  } catch (error) {
    if (!(error instanceof CertificateRefusal)) throw error;
    throw refusalOf(attempt, error.code, error.detail);
  }
}

/** The role that the resource needs must be in the current certificate (COBS 2.11); refuses with `role_missing`. */
export function requireRole<A extends OfTpp<Attempt>>(attempt: A): A {
  const { roles } = attempt.tpp;
  if (roles.includes(attempt.needs.role)) return attempt;
  throw refusalOf(attempt, "role_missing", `the certificate holds ${roles.join(", ")}`);
}
