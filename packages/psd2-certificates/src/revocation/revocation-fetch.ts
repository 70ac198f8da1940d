/** One question to a source of revocation, as the guarded way out of the process needs it. */
export interface RevocationQuestion {
  /** As the certificate names it, http or https. */
  readonly url: URL;
  /** DER of an OCSP request, sent by POST; undefined fetches a CRL by GET. */
  readonly body: Buffer | undefined;
  /** Media type of `body`. */
  readonly contentType: string | undefined;
  readonly accept: string;
  /** More octets than these are not read. */
  readonly limitOctets: number;
  /** From the start of the call to its last octet. */
  readonly limitMilliseconds: number;
}

/**
 * Asks a source and gives the octets of a 200 answer; rejects with an Error for everything else. The URL comes out of a
 * certificate, of an authority that is trusted but not this bank's: whoever implements this follows no redirect, and
 * none of the question, to an address inside the bank.
 */
export type RevocationFetch = (question: RevocationQuestion) => Promise<Buffer>;
