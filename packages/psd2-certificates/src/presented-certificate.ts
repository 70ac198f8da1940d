/** What a peer showed as its certificate, not verified in any way. One object per connection: work is remembered on it. */
export interface PresentedCertificate {
  /** The leaf, DER. */
  readonly der: Buffer;
  /** Issuing authorities that came along, DER, in any order, without meaning until a path uses them. */
  readonly intermediates: readonly Buffer[];
  /** OpenSSL's `authorizationError` code of a direct TLS connection; undefined when it authorized or was not asked. */
  readonly tlsVerdict: string | undefined;
}
