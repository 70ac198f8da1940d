import { randomBytes } from "node:crypto";

/** One version of a consent; also the id of the provider's grant that projects it. Not a secret. */
export type ConsentId = string & { readonly brand: "ConsentId" };

const FORM = /^[A-Za-z0-9_-]{22}$/;

/** Takes a consent id from the provider or a store; undefined when it is none. */
export function parseConsentId(text: unknown): ConsentId | undefined {
  return typeof text === "string" && FORM.test(text) ? (text as ConsentId) : undefined;
}

/** Makes a new id of 128 random bits. */
export function createConsentId(): ConsentId {
  return randomBytes(16).toString("base64url") as ConsentId;
}
