import { CertificateRefusal, type CertificateRefusalCode } from "@cobs/psd2-certificates";

/** The code with which an act refuses, or "accepted"; rethrows any other error. */
export function refusalOf(act: () => unknown): CertificateRefusalCode | "accepted" {
  try {
    act();
    return "accepted";
  } catch (error) {
    if (error instanceof CertificateRefusal) return error.code;
    throw error;
  }
}
