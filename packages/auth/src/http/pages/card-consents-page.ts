/** The part of "my consents" about card issuers that may ask whether an amount is available, and the withdrawal. */
import type { PsuId } from "@cobs/cobs-model";
import { type CardConsent, parseCardConsentId } from "../../card-consent/card-consent.ts";
import type { CardConsentStore } from "../../card-consent/card-consent-store.ts";
import type { CardConsentsView, CardWithdrawalView } from "../../pages/card-consents-view.ts";
import { CONSENTS_PATH } from "../../pages/places.ts";
import type { PageAnswer } from "./answer-page.ts";
import type { SignedInVisit } from "./signed-in-page.ts";

/** Lists a PSU's consents to card issuers: a page of active ones, and a page of ended ones. */
export async function listCardConsents(
  cardConsents: Pick<CardConsentStore, "pagesOf">,
  psu: PsuId,
  pages: { readonly active: number; readonly over: number },
): Promise<CardConsentsView> {
  const { active, ended } = await cardConsents.pagesOf(psu, { active: pages.active, ended: pages.over });
  return { active, over: ended };
}

/** Finds a consent of this PSU; undefined both for another PSU's and for an unknown one. */
export async function findOwnCardConsent(
  cardConsents: Pick<CardConsentStore, "find">,
  psu: PsuId,
  text: string,
): Promise<CardConsent | undefined> {
  const id = parseCardConsentId(text);
  const consent = id === undefined ? undefined : await cardConsents.find(id);
  return consent?.psu === psu ? consent : undefined;
}

/** Shows the question before a withdrawal; redirects to the list if the consent has ended. */
export function askToWithdrawCard(
  { ownOrigin: origin, target }: SignedInVisit,
  consent: CardConsent,
  known: Pick<CardWithdrawalView, "accounts" | "blocked">,
): PageAnswer {
  if (consent.state !== "active") return { show: "nothing", location: CONSENTS_PATH };
  const view = { origin, consent, ...known, form: target("withdraw-card") };
  return {
    show: "page",
    name: "card-withdrawal",
    render: (pages, frame) => pages.cardWithdrawal(frame, view),
  };
}

/** Ends the consent, once however often the form is sent; the list then says that it has ended. */
export async function withdrawCard(
  cardConsents: Pick<CardConsentStore, "end">,
  { call, session: { psu }, noteDone }: SignedInVisit,
  { id }: CardConsent,
): Promise<PageAnswer> {
  const act = { actor: { kind: "psu", psu }, requestId: call.requestId } as const;
  await cardConsents.end(id, { by: "psu", reason: "withdrawn", act });
  const cookies = [noteDone({ act: "card_consent_withdrawn", id })];
  return { show: "nothing", location: CONSENTS_PATH, cookies };
}
