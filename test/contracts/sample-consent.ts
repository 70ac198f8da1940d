import { parseAccountId, parsePsuId } from "@cobs/cobs-model";
import { createConsentId } from "../../packages/auth/src/consent/consent-id.ts";
import type { NewConsent } from "../../packages/auth/src/consent/consent-store.ts";
import { OWNER } from "./stored-tpp.ts";

/** The PSU of sample consents. */
export const PSU = parsePsuId("psu");

const DAY = 86_400_000;

/** A consent to an application, given now for a day, except for the changes. */
export function consentTo(
  applicationId: NewConsent["applicationId"],
  changed: Partial<NewConsent> = {},
): NewConsent {
  const id = createConsentId();
  const { givenAt = new Date() } = changed;
  return {
    id,
    organisationIdentifier: OWNER,
    applicationId,
    psu: PSU,
    services: ["aisp"],
    accounts: [parseAccountId("a")],
    givenAt,
    authenticatedAt: givenAt,
    validUntil: new Date(givenAt.getTime() + DAY),
    approval: id,
    ...changed,
  };
}
