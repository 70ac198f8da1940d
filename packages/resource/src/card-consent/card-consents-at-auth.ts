import { parseAccountId, parsePsuId } from "@cobs/cobs-model";
import { headersOnBehalf, type PrivateClient } from "@cobs/service-edge";
import { isIdOfAuth } from "../auth-answers/id-of-auth.ts";
import { listIn, membersOf, readMembers } from "../auth-answers/members-of.ts";
import { parsePositionHeader } from "../endings/parse-endings.ts";
import type { AskedCardConsents, CardConsent } from "./card-consent.ts";
import { CardConsentRefusal } from "./card-consent-refusal.ts";

/** Asks auth's bank listener for consents to card issuers. */
export function cardConsentsAtAuth(client: Pick<PrivateClient, "get">): AskedCardConsents {
  return {
    find: async ({ organisationIdentifier, iban }, onBehalf) => {
      const query = new URLSearchParams({ organisationIdentifier, iban });
      const headers = { accept: "application/json", ...headersOnBehalf(onBehalf) };
      const answer = await client.get(`/card-consents?${query}`, headers);
      if (answer.status !== 200)
        throw new CardConsentRefusal(
          "card_consents_status",
          `card consents were answered with ${answer.status}`,
        );
      return {
        consents: readAnswer(answer.body),
        position: parsePositionHeader(answer.header("feed-position")),
      };
    },
  };
}

/**
 * Reads `{ consent: { id, psu, accountId } }`, with `others` of the same form if there are any, or `{ consent: null }`. Refuses
 * with `card_consents_malformed`.
 */
function readAnswer(text: string): readonly CardConsent[] {
  return readMembers(text, [CardConsentRefusal, "card_consents_malformed"], (members) => {
    const others = members.others === undefined ? [] : listIn(members, "others");
    return members.consent === null ? [] : [members.consent, ...others].map(readConsent);
  });
}

function readConsent(value: unknown): CardConsent {
  const { id, psu, accountId } = membersOf(value, "a consent");
  if (!isIdOfAuth(id)) throw new TypeError("the id of a consent is malformed");
  return {
    id,
    psu: parsePsuId(psu, "psu"),
    account: parseAccountId(accountId, "accountId"),
  };
}
