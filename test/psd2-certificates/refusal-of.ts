import { CertificateRefusal, type CertificateRefusalCode } from "@cobs/psd2-certificates";

/** The code that an act refuses with, "accepted" when it does not; any other error goes on. */
export function refusalOf(act: () => unknown): CertificateRefusalCode | "accepted" {
  try {
    act();
    return "accepted";
  } catch (error) {
    if (error instanceof CertificateRefusal) return error.code;
    throw error;
  }
}
