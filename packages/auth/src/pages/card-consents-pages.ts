import { presentIban } from "@cobs/cobs-model";
import type { CardConsent } from "../card-consent/card-consent.ts";
import { accountLine } from "./account-groups.ts";
import { type CardConsentsView, type CardWithdrawalView, cardConsentPath } from "./card-consents-view.ts";
import { displayText } from "./display-text.ts";
import type { PageWords } from "./page-words.ts";
import { CONSENTS_PATH } from "./places.ts";
import { fillText } from "./texts/texts.ts";

/** What is known of accounts and companies besides the consents. */
type KnownOfCards = Pick<CardWithdrawalView, "accounts" | "blocked">;

/** What the list of all consents shows of those to card issuers. */
export function presentCardConsents(
  { active, over }: CardConsentsView,
  known: KnownOfCards,
  words: PageWords,
) {
  const present = (consent: CardConsent) => presentCard(consent, known, words);
  return { active: active.consents.map(present), over: over.consents.map(present) };
}

/** What the question before a withdrawal shows besides its frame. */
export function presentCardWithdrawal(
  { consent, accounts, blocked, ...view }: CardWithdrawalView,
  words: PageWords,
) {
  const { phrases } = words.texts;
  const card = presentCard(consent, { accounts, blocked }, words);
  return {
    ...view,
    card,
    title: fillText(phrases.withdraw_title_company, { tpp: card.tppName }),
    consequences: [phrases.card_withdraw_effect, phrases.card_withdraw_again],
    backPath: CONSENTS_PATH,
    hasConsentsLink: false,
    switchQuery: `&card=${consent.id}`,
  };
}

/** The message shown once after a PSU has withdrawn a consent to a card issuer. */
export function presentWithdrawnCard(consent: CardConsent, { texts: { phrases } }: PageWords): string {
  const { organisationName, organisationIdentifier, iban } = consent;
  const tpp = displayText(organisationName ?? organisationIdentifier);
  return fillText(phrases.done_card_consent_withdrawn, { tpp, iban: presentIban(iban) });
}

/** Presents a consent in a few lines. A company that has never called here has the name that the bank gave it, if any. */
function presentCard(consent: CardConsent, { accounts, blocked }: KnownOfCards, words: PageWords) {
  const { texts, language, writeMoment } = words;
  const account = accounts?.get(consent.account);
  const identifier = displayText(consent.organisationIdentifier);
  return {
    id: consent.id,
    tppName: displayText(consent.organisationName ?? consent.organisationIdentifier),
    organisationIdentifier: identifier,
    accountName: account && accountLine(account, language).name,
    isBlocked: consent.state === "active" && blocked.has(consent.organisationIdentifier),
    iban: presentIban(consent.iban),
    since: writeMoment(consent.givenAt),
    ended:
      consent.state === "active"
        ? undefined
        : { time: writeMoment(consent.endedAt), why: texts.phrases[`ended_${consent.reason}`] },
    path: cardConsentPath(consent.id),
  };
}
