import { readFileSync } from "node:fs";
import type { ConfigurationReader, Variable } from "@cobs/service-edge";
import { parseBankColour } from "./bank-colour.ts";
import { parseBankLogo } from "./bank-logo.ts";
import type { BankTheme } from "./bank-theme.ts";

/** The variables of a bank's look, beside its name. */
export const THEME_VARIABLES: readonly Variable[] = [
  {
    name: "BANK_COLOR",
    meaning:
      "Colour of links and buttons on the PSU's pages, as `#rrggbb`; refused when white text on it would be hard to read (WCAG 2.2 1.4.3). Absent: blue",
    optional: true,
  },
  {
    name: "BANK_LOGO_FILE",
    meaning: "The bank's logo on the PSU's pages: SVG or PNG, at most 100 kB. Absent: a plain mark",
    optional: true,
  },
];

/** Reads a bank's look, with every fault of it. */
export function readTheme(read: ConfigurationReader): BankTheme {
  return read.together<BankTheme>({
    accents: () => optional(read, "BANK_COLOR", parseBankColour),
    logo: () => optional(read, "BANK_LOGO_FILE", (path) => parseBankLogo(readFileSync(path))),
  });
}

function optional<T>(read: ConfigurationReader, name: string, parse: (text: string) => T): T | undefined {
  return read.optionalText(name) === undefined ? undefined : read.parsed(name, parse);
}
