/** One attribute of a distinguished name; `oid` is dotted, a UTF8String unless another type is asked for. */
export type SubjectAttribute = {
  readonly oid: string;
  readonly value: string;
  readonly stringType?: "utf8String" | "printableString" | "bmpString" | "ia5String";
};

/** Object identifiers of the subject attributes in use (X.520). */
export const subjectOids = {
  commonName: "2.5.4.3",
  countryName: "2.5.4.6",
  organizationName: "2.5.4.10",
  organizationIdentifier: "2.5.4.97",
} as const;
