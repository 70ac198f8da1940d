/**
 * Why an operator's order is not carried out, in words for the operator:
 * - `order_malformed`: the body or a parameter is not what the order needs; every fault is told
 * - `unknown`: there is nothing under this id
 * - `not_blocked`: there is nothing to release
 * - `psu_blocked`: a blocked PSU agrees to nothing
 * - `other_account`: what the PSU has agreed to is another account with the same IBAN
 * - `blocked_by_register`: the check of the TPP register blocked, and it or its configuration releases
 * - `list_full`: the stop list holds as many blocks as it may
 * - `already_announced`: the next key is announced, and takes over by itself
 * - `not_archivable`: no entry of the audit log that may go has this number and hash
 * - `key_not_in_use`: there never was a key with this id, or it is gone
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

/** An expected no to an operator, who may read all of it. */
export class OperatorRefusal extends Error {
  override readonly name = "OperatorRefusal";
  readonly code: OperatorRefusalCode;

  constructor(code: OperatorRefusalCode, message: string) {
    super(message);
    this.code = code;
  }
}
