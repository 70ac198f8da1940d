import type { Answer, IncomingCall, OnBehalf, Route } from "@cobs/service-edge";
import type { OperatorAct } from "../../audit/act.ts";
import type { PsuAccounts } from "../../bank/psu-accounts.ts";
import {
  type CardConsent,
  createCardConsentId,
  parseCardConsentId,
} from "../../card-consent/card-consent.ts";
import type { CardConsentFilter, CardConsentStore } from "../../card-consent/card-consent-store.ts";
import { type CardConsentOrder, parseCardConsentOrder } from "../../operator-api/card-consent-order.ts";
import { parseConsentEnding } from "../../operator-api/ending-order.ts";
import { OperatorRefusal } from "../../operator-api/operator-refusal.ts";
import { ORGANISATION, PSU } from "../../operator-api/parameter-kinds.ts";
import { type ParameterKind, pageOf, parseQuery, readPage } from "../../operator-api/parse-query.ts";
import { presentCardConsent } from "../../operator-api/present-card-consent.ts";
import type { RecordRead } from "../../operator-api/record-read.ts";
import { given, listed, named, requireFound, requireKnownKey } from "./operator-answers.ts";
import type { OperatorRoute } from "./operator-route.ts";

/** What orders about consents to card issuers need. */
export interface CardConsentOrderParts {
  readonly cardConsents: CardConsentStore;
  readonly psuAccounts: PsuAccounts;
  readonly recordRead: RecordRead;
}

const CARD_CONSENTS = "/operator/card-consents";
const CARD_CONSENT: ParameterKind<CardConsent["id"]> = {
  read: parseCardConsentId,
  must: "the id of a consent, 22 letters, digits, _ and -",
};
const STATE: ParameterKind<CardConsent["state"]> = {
  read: (text) => (text === "active" || text === "ended" ? text : undefined),
  must: "active or ended",
};

/** Serves `/operator/card-consents`: searching, which is recorded, giving one and ending one. */
export function createCardConsentOrderRoutes(
  route: OperatorRoute,
  parts: CardConsentOrderParts,
): readonly Route[] {
  return [
    route("GET", CARD_CONSENTS, (call, act) => list(parts, call, act)),
    route("POST", CARD_CONSENTS, (call, act) => give(parts, call, act)),
    route("POST", `${CARD_CONSENTS}/:consent/end`, (call, act) => end(parts, call, act)),
  ];
}

async function list(
  { cardConsents, recordRead }: CardConsentOrderParts,
  { query }: IncomingCall,
  act: OperatorAct,
): Promise<Answer> {
  const { after, limit, ...filter } = parseQuery(query, (read) => ({
    psu: read("psu", PSU),
    tpp: read("tpp", ORGANISATION),
    state: read("state", STATE),
    ...readPage(read, CARD_CONSENT),
  }));
  const found = requireKnownKey(await cardConsents.list(filter, { after, limit: limit + 1 }));
  const page = pageOf(found, limit, ({ id }) => id);
  const details = { what: "card consents", ...given(filter), count: page.rows.length };
  await recordRead(act, { subject: subjectOf(filter), details });
  return listed("cardConsents", page, presentCardConsent);
}

/** The narrowest subject of a query; without any, all of them. */
function subjectOf({ psu, tpp }: CardConsentFilter) {
  if (psu !== undefined) return { kind: "psu", id: psu } as const;
  return tpp === undefined
    ? ({ kind: "card_consent", id: "all" } as const)
    : ({ kind: "tpp", id: tpp } as const);
}

/** The record of a read, for an order that changed nothing but shows the consent. */
const lookAt = ({ id, psu }: CardConsent) => ({
  subject: { kind: "card_consent", id } as const,
  details: { what: "card consent", psu },
});

/** Answers 201 with a new consent, 200 with the active one; refuses if that is for another account with the IBAN. */
async function give(
  { cardConsents, psuAccounts, recordRead }: CardConsentOrderParts,
  call: IncomingCall,
  act: OperatorAct,
): Promise<Answer> {
  const order = parseCardConsentOrder(call.body);
  await requireAccount(psuAccounts, order, call);
  const outcome = await cardConsents.give({ id: createCardConsentId(), ...order }, act);
  if (outcome.result === "psu_blocked") throw new OperatorRefusal("psu_blocked", "this PSU is blocked");
  const { result, consent } = outcome;
  if (result !== "given") await recordRead(act, lookAt(consent));
  if (result === "other_account")
    throw new OperatorRefusal(
      "other_account",
      `the PSU has given consent ${consent.id} for another account with this IBAN: end that consent first`,
    );
  const status = result === "given" ? 201 : 200;
  return { status, json: { ...presentCardConsent(consent), result }, facts: { [result]: consent.id } };
}

/** Requires that the account be the PSU's, so that a typing error does not become a consent for somebody else's account. */
async function requireAccount(
  psuAccounts: PsuAccounts,
  { psu, account, iban }: CardConsentOrder,
  call: OnBehalf,
) {
  const accounts = await psuAccounts.accountsOf(psu, call);
  if (!accounts.some((each) => each.id === account && each.iban === iban))
    throw new OperatorRefusal("unknown", "the PSU has no account with this id and IBAN");
}

/** Answers 200 whether it ended now or before, and says which. */
async function end(
  { cardConsents, recordRead }: CardConsentOrderParts,
  call: IncomingCall,
  act: OperatorAct,
) {
  const id = named(call, "consent", CARD_CONSENT);
  const { reason: note, by } = parseConsentEnding(call.body);
  requireFound(await cardConsents.find(id));
  const reason = by === "psu" ? "withdrawn" : "bank_revoked";
  const isEnded = await cardConsents.end(id, { by, reason, act: { ...act, note } });
  const consent = requireFound(await cardConsents.find(id));
  if (!isEnded) await recordRead(act, lookAt(consent));
  const result = isEnded ? "ended" : "already_ended";
  return { status: 200, json: { ...presentCardConsent(consent), result }, facts: { [result]: id } };
}
