import type { Variable } from "@cobs/service-edge/configuration";

/** Every environment variable of the operator's command. */
export const OPERATOR_VARIABLES: readonly Variable[] = [
  {
    name: "OPERATOR_URL",
    meaning: "URL of the bank listener of auth",
    default: "https://localhost:8445",
  },
  {
    name: "RESOURCE_BANK_URL",
    meaning:
      "URL of the bank listener of resource, which keeps its own refusals and payments. Absent: resource is not asked",
    optional: true,
  },
  {
    name: "OPERATOR_CERTIFICATE_FILE",
    meaning:
      "PEM certificate of the operator, issued by the private CA; its common name needs the right `operator` in `BANK_CALLERS` of both services",
  },
  { name: "OPERATOR_KEY_FILE", meaning: "PEM key to `OPERATOR_CERTIFICATE_FILE`" },
  {
    name: "BANK_AUTHORITY_FILE",
    meaning: "PEM of the private CA under which the bank listeners are certified",
  },
];
