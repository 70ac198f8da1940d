import type { OrganisationIdentifier } from "@cobs/psd2-certificates";
import type { CardConsent } from "../card-consent/card-consent.ts";
import type { Consent } from "../consent/consent.ts";
import type { ConsentId } from "../consent/consent-id.ts";
import type { PsuConsent, PsuConsentPage } from "../consent/psu-consents.ts";
import type { Psu } from "../psu/psu-login.ts";
import type { CardConsentsView } from "./card-consents-view.ts";
import type { KnownAccounts } from "./consent-words.ts";
import type { FormTarget } from "./page-view.ts";
import { CONSENTS_PATH } from "./places.ts";

/** What the pages about given consents share. */
interface ConsentsFrame {
  /** As in `SignInFrame`. */
  readonly origin: string | undefined;
  /** Undefined while the bank does not answer: then accounts are only counted. */
  readonly accounts: KnownAccounts;
  /** Companies of these consents that are on the stop list, and so cannot use their consents now. */
  readonly blocked: ReadonlySet<OrganisationIdentifier>;
}

/** Everything that a PSU has allowed, now and before. */
export interface ConsentsView extends ConsentsFrame {
  readonly psu: Psu | undefined;
  readonly active: PsuConsentPage;
  readonly over: PsuConsentPage;
  readonly cards: CardConsentsView;
  /** The consent to a card issuer that was withdrawn just now. */
  readonly withdrawnCard: CardConsent | undefined;
  /** Whether there is a page about what the PSU signs in with. */
  readonly hasAuthenticatorPage: boolean;
  readonly signOut: FormTarget;
}

/** One consent with all its accounts, and with what the PSU agreed with this application before and after. */
export interface ConsentDetailView extends ConsentsFrame {
  readonly shown: PsuConsent;
  /** Whether the PSU has withdrawn it just now. */
  readonly isWithdrawnNow: boolean;
  /** Consents of the same company through other applications. */
  readonly others: readonly PsuConsent[];
  /** Newest first. */
  readonly history: readonly Consent[];
  /** The part of each list that is shown, counted from 1. */
  readonly pages: { readonly accounts: number; readonly history: number };
}

/** The question before the PSU withdraws a consent. */
export interface WithdrawalView extends ConsentsFrame {
  readonly shown: PsuConsent;
  /** Consents of the same company through other applications, which it keeps. */
  readonly others: readonly PsuConsent[];
  readonly form: FormTarget;
}

/** The address of a consent's own page, or of the question before it is withdrawn. */
export function consentPath(id: ConsentId, page: "consent" | "withdraw" = "consent"): string {
  return `${CONSENTS_PATH}?${page}=${id}`;
}
