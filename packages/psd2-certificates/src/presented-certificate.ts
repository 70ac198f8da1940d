/**
 * The certificate that a peer presented, not verified in any way. One object per connection, on which findings are remembered.
 */
export interface PresentedCertificate {
  /** The leaf, DER. */
  readonly der: Buffer;
  /** Issuing authorities sent along, DER, in any order; they mean nothing until a path uses them. */
  readonly intermediates: readonly Buffer[];
  /** OpenSSL's `authorizationError` code of a direct TLS connection; undefined if it authorized or was not asked. */
  readonly tlsVerdict: string | undefined;
}
