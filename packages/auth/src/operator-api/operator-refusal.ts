/**
 * Reasons to refuse an operator's order, in words for the operator:
 * - `order_malformed`: the body or a parameter is not what the order needs; the message lists every fault
 * - `unknown`: nothing was found under this id
 * - `not_blocked`: there is no block to release
 * - `psu_blocked`: a blocked PSU cannot consent
 * - `other_account`: the PSU consented to another account with the same IBAN
 * - `blocked_by_register`: the check of the TPP register blocked; only it or its configuration can release
 * - `list_full`: the stop list has as many blocks as it may
 * - `already_announced`: the next key is already announced, and takes over by itself
 * - `not_archivable`: no audit entry that may be deleted has this number and hash
 * - `key_not_in_use`: no key with this id exists, or it is gone
 */
export type OperatorRefusalCode =
  | "order_malformed"
  | "unknown"
  | "not_blocked"
  | "psu_blocked"
  | "other_account"
  | "blocked_by_register"
  | "list_full"
  | "already_announced"
  | "not_archivable"
  | "key_not_in_use";

/** A refusal to an operator, who may read the whole message. */
export class OperatorRefusal extends Error {
  override readonly name = "OperatorRefusal";
  readonly code: OperatorRefusalCode;

  constructor(code: OperatorRefusalCode, message: string) {
    super(message);
    this.code = code;
  }
}
