import {
  type AccountId,
  type ApplicationId,
  findSpan,
  type PsuId,
  parseAccountId,
  parsePsuId,
} from "@cobs/cobs-model";
import {
  CertificateRefusal,
  type CertificateThumbprint,
  type OrganisationIdentifier,
  parseCertificateThumbprint,
  parseOrganisationIdentifier,
} from "@cobs/psd2-certificates";
import { findApplicationId } from "../applications/find-application-id.ts";
import { type ConsentId, parseConsentId } from "../consent/consent-id.ts";
import type { ParameterKind } from "./parse-query.ts";
import { isVisibleLine, VISIBLE_LINE_FORM } from "./visible-line.ts";

const OPAQUE_ID = "1 to 64 letters, digits, _ and -";

function findOrganisation(text: string): OrganisationIdentifier | undefined {
  try {
    return parseOrganisationIdentifier(text);
  } catch (error) {
    if (error instanceof CertificateRefusal) return undefined;
    throw error;
  }
}

const isOpaqueId = (text: string) => /^[A-Za-z0-9_-]{1,64}$/.test(text);

function findPsu(text: string): PsuId | undefined {
  return isOpaqueId(text) ? parsePsuId(text) : undefined;
}

function findAccount(text: string): AccountId | undefined {
  return isOpaqueId(text) ? parseAccountId(text) : undefined;
}

/** Organisation identifier of a TPP. Like the other forms it is the same in paths, queries and bodies. */
export const ORGANISATION: ParameterKind<OrganisationIdentifier> = {
  read: findOrganisation,
  must: "of the form PSDcc-AUTHORITY-number",
};
/** Thumbprint of a TPP's certificate. */
export const THUMBPRINT: ParameterKind<CertificateThumbprint> = {
  read: parseCertificateThumbprint,
  must: "the SHA-256 of the certificate in base64url, 43 characters (x5t#S256)",
};
/** Id of a PSU. */
export const PSU: ParameterKind<PsuId> = { read: findPsu, must: OPAQUE_ID };
/** Id of an application, its client id. */
export const APPLICATION: ParameterKind<ApplicationId> = { read: findApplicationId, must: OPAQUE_ID };
/** Id of a payment account in the core system. */
export const ACCOUNT: ParameterKind<AccountId> = { read: findAccount, must: OPAQUE_ID };
/** Id of one version of a consent. */
export const CONSENT: ParameterKind<ConsentId> = {
  read: parseConsentId,
  must: "the id of a consent, 22 letters, digits, _ and -",
};

/** One line of visible text, which people write or search for. */
export const LINE: ParameterKind<string> = {
  read: (text) => (isVisibleLine(text) ? text : undefined),
  must: VISIBLE_LINE_FORM,
};

/** On whose behalf an operator ends something, if not the bank's. */
export const ON_BEHALF: ParameterKind<"psu"> = {
  read: (text) => (text === "psu" ? text : undefined),
  must: "psu",
};

function findTime(text: string): Date | undefined {
  const hasForm = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,3})?Z$/.test(text);
  return hasForm ? findSpan(text)?.from : undefined;
}

/** A moment (RFC 3339, UTC). */
export const TIME: ParameterKind<Date> = { read: findTime, must: "a time such as 2026-08-27T09:00:00Z" };
/** Name of an action in the audit log. */
export const ACTION: ParameterKind<string> = matching(
  /^[a-z_]{1,40}\.[a-z_]{1,40}$/,
  "an action such as consent.ended",
);
/** Id of a request, ours or the TPP's own. */
export const REQUEST_ID: ParameterKind<string> = matching(/^[A-Za-z0-9._:-]{1,60}$/, "the id of a request");
/** Hash of an entry of the audit chain. */
export const HASH: ParameterKind<string> = matching(/^[0-9a-f]{64}$/, "64 hexadecimal digits");
/** Sequence number of a row, ascending. */
export const SEQUENCE: ParameterKind<number> = {
  read: (text) => (/^\d{1,15}$/.test(text) ? Number(text) : undefined),
  must: "a whole number",
};

function matching(form: RegExp, must: string): ParameterKind<string> {
  return { read: (text) => (form.test(text) ? text : undefined), must };
}
