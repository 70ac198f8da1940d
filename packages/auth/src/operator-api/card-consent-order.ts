import { type AccountId, findIban, type Iban, type PsuId } from "@cobs/cobs-model";
import type { OrganisationIdentifier } from "@cobs/psd2-certificates";
import { ACCOUNT, LINE, ORGANISATION, PSU } from "./parameter-kinds.ts";
import { parseOperatorOrder } from "./parse-order.ts";
import type { ParameterKind } from "./parse-query.ts";

/** A consent to a card issuer that a PSU has given at the bank. */
export interface CardConsentOrder {
  readonly psu: PsuId;
  readonly organisationIdentifier: OrganisationIdentifier;
  /** Name of the card issuer shown to the PSU until its TPP has shown a certificate to auth. */
  readonly organisationName: string | undefined;
  readonly account: AccountId;
  readonly iban: Iban;
}

const IBAN: ParameterKind<Iban> = { read: findIban, must: "an IBAN" };
const MEMBERS = ["psu", "tpp", "tppName", "account", "iban"];

/** Reads the body of an order to give such a consent. Refuses with `order_malformed`. */
export function parseCardConsentOrder(body: unknown): CardConsentOrder {
  return parseOperatorOrder(body, MEMBERS, ({ required, optional }) => {
    const psu = required("psu", PSU);
    const organisationIdentifier = required("tpp", ORGANISATION);
    const organisationName = optional("tppName", LINE);
    const account = required("account", ACCOUNT);
    const iban = required("iban", IBAN);
    if (psu === undefined || organisationIdentifier === undefined) return undefined;
    if (account === undefined || iban === undefined) return undefined;
    return { psu, organisationIdentifier, organisationName, account, iban };
  });
}
