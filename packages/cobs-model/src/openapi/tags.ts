import type { Tag } from "./openapi-document.ts";

/** The headings of the interface, in the order in which a TPP needs them. */
export const TAGS: readonly Tag[] = [
  {
    name: "Applications",
    description:
      "Register applications, which then ask PSUs for consent (COBS 1.4.1). You need only your certificate.",
  },
  {
    name: "Consent",
    description: "Send the PSU to the bank, and get tokens for what they consented to (COBS 1.4.3 to 1.4.6).",
  },
  {
    name: "Accounts",
    description:
      "Accounts, balances and transactions: certificate with role `PSP_AI`, token with scope `aisp` (COBS 3.1).",
  },
  {
    name: "Payments",
    description:
      "Payment orders and their approval: certificate with role `PSP_PI`, token with scope `pisp` (COBS 3.2).",
  },
  {
    name: "Balance check",
    description:
      "For card issuers: certificate with role `PSP_IC`, no token (COBS 3.3). The account holder has agreed to this with the bank.",
  },
  { name: "About this bank", description: "Metadata and documentation, without a certificate." },
];
