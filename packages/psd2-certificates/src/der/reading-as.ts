import { CertificateRefusal, type CertificateRefusalCode } from "../certificate-refusal.ts";
import { DerFault } from "./der-element.ts";

/** Runs a reader, and turns a `DerFault` into a refusal with this code. */
export function readingAs<Value>(code: CertificateRefusalCode, read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    if (error instanceof DerFault) throw new CertificateRefusal(code, error.message);
    throw error;
  }
}
