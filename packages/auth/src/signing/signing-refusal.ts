/**
 * Reasons to refuse an order to sign, in words for the bank's own service:
 * - `request_malformed`: a member is missing, unknown or unacceptable; the message lists every fault
 * - `order_malformed`: the order has a member that the page could not show, or lacks one that it must show
 * - `order_not_canonical`: the bytes are not those of RFC 8785, so that two parties could hash different ones
 * - `application_unknown`: the TPP has no such application, it has not registered the scope `pisp`, or the PSU's consent to its
 *   payments has ended
 * - `return_url_unregistered`: the application has not registered the return URL (COBS 2.0 3.2.10, A-51)
 * - `request_different`: another order is kept under this payment and sign id
 * - `certificates_used_up`: the TPP has asked with too many certificates under this payment and sign id
 * - `request_unknown`: there is no such signing request
 * - `signing_off`: this server has no way to deliver a code to a PSU
 */
export type SigningRefusalCode =
  | "request_malformed"
  | "order_malformed"
  | "order_not_canonical"
  | "application_unknown"
  | "return_url_unregistered"
  | "request_different"
  | "certificates_used_up"
  | "request_unknown"
  | "signing_off";

/** A refusal to a service of the bank, which may read the whole message; it contains no value of an order. */
export class SigningRefusal extends Error {
  override readonly name = "SigningRefusal";
  readonly code: SigningRefusalCode;

  constructor(code: SigningRefusalCode, message: string) {
    super(message);
    this.code = code;
  }
}
