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

/** A TPP. Like the others it is read alike in paths, queries and bodies. */
export const ORGANISATION: ParameterKind<OrganisationIdentifier> = {
  read: findOrganisation,
  must: "of the form PSDcc-AUTHORITY-number",
};
/** One certificate of a TPP. */
export const THUMBPRINT: ParameterKind<CertificateThumbprint> = {
  read: parseCertificateThumbprint,
  must: "the SHA-256 of the certificate in base64url, 43 characters (x5t#S256)",
};
/** A person at the bank. */
export const PSU: ParameterKind<PsuId> = { read: findPsu, must: OPAQUE_ID };
/** An application, by its client id. */
export const APPLICATION: ParameterKind<ApplicationId> = { read: findApplicationId, must: OPAQUE_ID };
/** A payment account, as the core system names it. */
export const ACCOUNT: ParameterKind<AccountId> = { read: findAccount, must: OPAQUE_ID };
/** One version of a consent. */
export const CONSENT: ParameterKind<ConsentId> = {
  read: parseConsentId,
  must: "the id of a consent, 22 letters, digits, _ and -",
};

/** One line that can be seen: what people write and search for. */
export const LINE: ParameterKind<string> = {
  read: (text) => (isVisibleLine(text) ? text : undefined),
  must: VISIBLE_LINE_FORM,
};

/** For whom an operator ends something, where it is not the bank itself. */
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
/** What the audit log calls things. */
export const ACTION: ParameterKind<string> = matching(
  /^[a-z_]{1,40}\.[a-z_]{1,40}$/,
  "an action such as consent.ended",
);
/** What we, or a TPP, have named a call. */
export const REQUEST_ID: ParameterKind<string> = matching(/^[A-Za-z0-9._:-]{1,60}$/, "the id of a request");
/** A hash of the audit chain. */
export const HASH: ParameterKind<string> = matching(/^[0-9a-f]{64}$/, "64 hexadecimal digits");
/** A number that counts up in the order of the rows. */
export const SEQUENCE: ParameterKind<number> = {
  read: (text) => (/^\d{1,15}$/.test(text) ? Number(text) : undefined),
  must: "a whole number",
};

function matching(form: RegExp, must: string): ParameterKind<string> {
  return { read: (text) => (form.test(text) ? text : undefined), must };
}
