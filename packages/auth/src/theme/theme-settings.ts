import type { ConfigurationReader, Variable } from "@cobs/service-edge";
import { parseBankColour } from "./bank-colour.ts";
import { parseBankContact } from "./bank-contact.ts";
import { type BankLogo, parseBankLogo } from "./bank-logo.ts";
import type { BankTheme } from "./bank-theme.ts";

/** The variables of a bank's look, besides its name. */
export const THEME_VARIABLES: readonly Variable[] = [
  {
    name: "BANK_COLOR",
    meaning:
      "Colour of links and buttons on the PSU's pages, as `#rrggbb`; refused if white text on it would be hard to read (WCAG 2.2 1.4.3). Absent: blue",
    optional: true,
  },
  {
    name: "BANK_LOGO_FILE",
    meaning: "The bank's logo on the PSU's pages: SVG or PNG, at most 100 kB. Absent: a plain mark",
    optional: true,
  },
  {
    name: "BANK_CONTACT",
    meaning:
      "The bank's contact for PSUs, as `tel:+420-800-123-456`, `mailto:…` or `https://…`: a link at the foot of every page, many of which say to contact the bank. Absent: none",
    optional: true,
  },
  {
    name: "BANK_PRIVACY_URL",
    meaning:
      "The bank's privacy notice (GDPR Article 13), as `https://…`: a link at the foot of every page. Absent: none",
    optional: true,
  },
];

/** Reads a bank's look, and reports all faults in it. */
export function readTheme(read: ConfigurationReader): BankTheme {
  return read.together<BankTheme>({
    accents: () => optional(read, "BANK_COLOR", parseBankColour),
    logo: () => readLogo(read, "BANK_LOGO_FILE"),
    contact: () => optional(read, "BANK_CONTACT", parseBankContact),
    privacyNotice: () => readPrivacyNotice(read),
  });
}

function readLogo(read: ConfigurationReader, name: string): BankLogo | undefined {
  if (read.optionalText(name) === undefined) return undefined;
  const octets = read.octets(name);
  return read.parsed(name, () => parseBankLogo(octets));
}

function readPrivacyNotice(read: ConfigurationReader): string | undefined {
  const name = "BANK_PRIVACY_URL";
  return read.optionalText(name) === undefined ? undefined : read.url(name, ["https:"]).href;
}

function optional<T>(read: ConfigurationReader, name: string, parse: (text: string) => T): T | undefined {
  return read.optionalText(name) === undefined ? undefined : read.parsed(name, parse);
}
