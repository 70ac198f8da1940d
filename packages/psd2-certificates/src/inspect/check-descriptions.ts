import type { CheckName } from "../certificate-check.ts";

/** Title of a check for people, and the clause that requires it. */
export interface CheckDescription {
  readonly title: string;
  readonly clause: string;
}

/** Descriptions of the checks. */
export const checkDescriptions: Readonly<Record<CheckName, CheckDescription>> = {
  presented: { title: "A certificate is presented", clause: "RTS (EU) 2018/389 Article 34(1)" },
  well_formed: { title: "It is a well-formed certificate", clause: "RFC 5280 4.1" },
  path: { title: "A trusted authority issued it", clause: "RFC 5280 6.1" },
  validity: { title: "It is valid at this time", clause: "RFC 5280 4.1.2.5" },
  path_in_time: { title: "Its authorities are valid too", clause: "RFC 5280 6.1, ETSI TS 119 615" },
  signature: { title: "Its signature algorithm is strong", clause: "ETSI TS 119 312" },
  key: { title: "Its key is strong", clause: "ETSI TS 119 312" },
  critical_extensions: { title: "Its critical extensions are known", clause: "RFC 5280 4.2" },
  qc_statements: { title: "It has qcStatements", clause: "RFC 3739 3.2.6, ETSI TS 119 495 5.1" },
  qualified: { title: "It is qualified in the EU", clause: "ETSI EN 319 412-5 4.2.1, 4.2.4" },
  qc_type: { title: "It is for website authentication", clause: "ETSI EN 319 412-5 4.2.3" },
  purpose: { title: "A TLS client may use it", clause: "RFC 5280 4.2.1.3, 4.2.1.9, 4.2.1.12" },
  psd2_statement: { title: "It has a PSD2 statement", clause: "ETSI TS 119 495 5.1, 5.2.2, 5.2.3" },
  organisation_identifier: {
    title: "It names the authorisation number",
    clause: "ETSI TS 119 495 GEN-5.2.1-3",
  },
  organisation_name: { title: "It names the organisation", clause: "ETSI EN 319 412-3 4.2.1" },
  same_authority: { title: "It names one competent authority", clause: "ETSI TS 119 495 5.2.1, 5.2.3" },
  tpp_role: { title: "It has a TPP role", clause: "PSD2 Articles 65 to 67" },
  tls_verdict: { title: "OpenSSL accepts it", clause: "RFC 5280 6.1" },
  revocation: { title: "It is not revoked", clause: "RFC 6960 2.2, RFC 5280 6.3.3" },
};
