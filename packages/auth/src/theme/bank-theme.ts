import type { Accents } from "./bank-colour.ts";
import type { BankContact } from "./bank-contact.ts";
import type { BankLogo } from "./bank-logo.ts";

/** What makes the pages those of one bank, besides its name. */
export interface BankTheme {
  /** Undefined: the colours of the stylesheet. */
  readonly accents?: Accents | undefined;
  /** Undefined: a drawn mark beside the name. */
  readonly logo?: BankLogo | undefined;
  /** Undefined: the pages do not say where to reach the bank. */
  readonly contact?: BankContact | undefined;
  /** URL of the bank's own notice (GDPR Article 13). Undefined: the pages link to none. */
  readonly privacyNotice?: string | undefined;
}
