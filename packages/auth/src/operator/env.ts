import type { Variable } from "@cobs/service-edge/configuration";

/** Every environment variable of the operator's command. */
export const OPERATOR_VARIABLES: readonly Variable[] = [
  {
    name: "OPERATOR_URL",
    meaning: "URL of auth's bank listener",
    default: "https://localhost:8445",
  },
  {
    name: "RESOURCE_BANK_URL",
    meaning:
      "URL of resource's bank listener, for the refusals and payments that resource keeps. Absent: resource is not asked",
    optional: true,
  },
  {
    name: "OPERATOR_CERTIFICATE_FILE",
    meaning:
      "PEM certificate of the operator, issued by the private CA; `BANK_CALLERS` of both services must give its common name the right `operator`",
  },
  { name: "OPERATOR_KEY_FILE", meaning: "PEM key of `OPERATOR_CERTIFICATE_FILE`" },
  {
    name: "BANK_AUTHORITY_FILE",
    meaning: "PEM of the private CA that certifies the bank listeners",
  },
];
