/** The route of the bank listener for the service that answers card issuers: which consent of a PSU allows a question. */
import { findIban } from "@cobs/cobs-model";
import {
  type Answer,
  type BankCallers,
  type IncomingCall,
  type Route,
  requireBankCaller,
} from "@cobs/service-edge";
import type { CardConsent } from "../card-consent/card-consent.ts";
import type { CardConsentStore } from "../card-consent/card-consent-store.ts";
import type { Feed } from "../feed/feed.ts";
import type { RateLimits } from "../limits/rate-limits.ts";
import { ORGANISATION } from "../operator-api/parameter-kinds.ts";

/** What the route needs. */
export interface CardConsentLookUpParts {
  readonly callers: BankCallers;
  readonly limits: RateLimits;
  readonly feed: Pick<Feed, "head">;
  readonly cardConsents: Pick<CardConsentStore, "findActive">;
}

const MALFORMED: Answer = {
  status: 400,
  json: {
    error: "invalid_request",
    error_description: "exactly one valid organisationIdentifier and one valid iban must be given",
  },
};

/**
 * Serves `GET /card-consents?organisationIdentifier=…&iban=…` to callers with the right `introspect`: 200 with the
 * active consent, or null; `others` has those of further holders of the account, each equally sufficient.
 * `Feed-Position` is from before the look-up: whatever ends the consent afterwards has a later one.
 */
export function createCardConsentRoute(parts: CardConsentLookUpParts): Route {
  const { callers, limits, feed, cardConsents } = parts;
  return {
    method: "GET",
    path: "/card-consents",
    handle: async (call) => {
      const caller = requireBankCaller(callers, call.presentedCertificate, "introspect");
      const asked = readQuestion(call);
      if (asked === undefined) return MALFORMED;
      const counted = { limit: "card_consent_caller", of: caller } as const;
      const position = await limits.countWhile([counted], () => feed.head());
      const [consent, ...others] = await cardConsents.findActive(asked);
      return {
        status: 200,
        headers: { "Feed-Position": String(position) },
        json: {
          consent: consent === undefined ? null : presentForResource(consent),
          ...(others.length > 0 && { others: others.map(presentForResource) }),
        },
      };
    },
  };
}

function readQuestion({ query }: IncomingCall) {
  const organisationIdentifier = only(query.getAll("organisationIdentifier"), ORGANISATION.read);
  const iban = only(query.getAll("iban"), findIban);
  if (organisationIdentifier === undefined || iban === undefined) return undefined;
  return { organisationIdentifier, iban };
}

function only<Value>(texts: readonly string[], read: (text: string) => Value | undefined): Value | undefined {
  const [text, ...more] = texts;
  return text === undefined || more.length > 0 ? undefined : read(text);
}

function presentForResource({ id, psu, account }: CardConsent) {
  return { id, psu, accountId: account };
}
