/** One question to a source of revocation, in the form that the process's guarded fetch takes. */
export interface RevocationQuestion {
  /** As in the certificate, http or https. */
  readonly url: URL;
  /** DER of an OCSP request, sent by POST; undefined fetches a CRL by GET. */
  readonly body: Buffer | undefined;
  /** Media type of `body`. */
  readonly contentType: string | undefined;
  readonly accept: string;
  /** Most octets that are read. */
  readonly limitOctets: number;
  /** Time limit from the start of the call to its last octet. */
  readonly limitMilliseconds: number;
}

/**
 * Asks a source and returns the octets of a 200 answer; rejects with an Error for everything else. The URL is from a
 * certificate of an authority that is trusted but is not this bank's, so implementations must send neither the question nor a
 * redirect of it to an address inside the bank.
 */
export type RevocationFetch = (question: RevocationQuestion) => Promise<Buffer>;
