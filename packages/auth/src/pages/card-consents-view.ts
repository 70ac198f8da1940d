import type { OrganisationIdentifier } from "@cobs/psd2-certificates";
import type { CardConsent, CardConsentId } from "../card-consent/card-consent.ts";
import type { CardConsentPage } from "../card-consent/card-consent-store.ts";
import type { KnownAccounts } from "./consent-words.ts";
import type { FormTarget } from "./page-view.ts";
import { CONSENTS_PATH } from "./places.ts";

/** What a PSU has allowed card issuers, now and before, newest first. */
export interface CardConsentsView {
  readonly active: CardConsentPage;
  readonly over: CardConsentPage;
}

/** The question before the PSU withdraws such a consent. */
export interface CardWithdrawalView {
  /** As in `SignInFrame`. */
  readonly origin: string | undefined;
  readonly consent: CardConsent;
  readonly accounts: KnownAccounts;
  readonly blocked: ReadonlySet<OrganisationIdentifier>;
  readonly form: FormTarget;
}

/** The address of that question. */
export function cardConsentPath(id: CardConsentId): string {
  return `${CONSENTS_PATH}?card=${id}`;
}
