import type { FaultParameters } from "@cobs/cobs-model";
import { describeForTpp, isCertificateRefusalCode } from "@cobs/psd2-certificates";
import type { AdmissionRefusal } from "../admission/admission-refusal.ts";

/**
 * Describes a refusal in the sentence that the TPP may read. An honest TPP learns what to do; a thief with a token learns
 * neither whether it is still valid nor whose it is.
 */
export function describeAdmissionRefusal({ code, call }: AdmissionRefusal): string {
  switch (code) {
    case "tpp_blocked":
      return "This TPP is blocked at this bank. Contact the bank.";
    case "certificate_blocked":
      return "This certificate is blocked at this bank. Contact the bank.";
    case "role_missing":
      return `This resource needs a certificate with the role ${call.role}.`;
    case "token_absent":
      return "Send an access token in the header Authorization: Bearer.";
    case "token_malformed":
      return "The header Authorization must be Bearer, a space, and one access token of at most 1017 bytes.";
    case "token_in_query":
      return "Send the access token in the header Authorization. One in the query is not accepted; consider it disclosed.";
    case "token_repeated":
      return "Send one access token, once, in the header Authorization.";
    case "token_inactive":
    case "token_wrong_audience":
    case "token_not_bound":
    case "token_bound_to_other_certificate":
    case "token_of_other_tpp":
      return "The access token is not valid for this call: it may have ended, or belong to another certificate or server. Get a new one with the certificate of this call.";
    case "too_many_unusable_tokens":
      return "Too many of the access tokens that you sent were not valid. Tokens that were valid a moment ago still work.";
    case "too_many_new_tokens":
      return "You sent too many different access tokens in a short time. Use each one until it expires. Tokens that you used a moment ago still work.";
    case "scope_missing":
      return `This resource needs an access token with the scope ${call.scope}.`;
    case "consent_ended":
      return "The consent of the access token no longer covers this. Ask for a new authorization.";
    default:
      return describeForTpp(code);
  }
}

/** Names the fault of a certificate by its code, for programs. About a token nothing but the sentence is told. */
export function parametersOfRefusal({ code }: AdmissionRefusal): FaultParameters | undefined {
  const concernsCertificate =
    isCertificateRefusalCode(code) || code === "tpp_blocked" || code === "certificate_blocked";
  return concernsCertificate ? { CERTIFICATE: code } : undefined;
}
