import { createRandomId, parseRandomId } from "../random-id.ts";

/** Identifies one version of a consent, and the provider's grant that projects it. Not a secret. */
export type ConsentId = string & { readonly brand: "ConsentId" };

/** Parses a consent id from the provider or a store; undefined when it is malformed. */
export const parseConsentId = parseRandomId<ConsentId>;

/** Makes a new id of 128 random bits. */
export const createConsentId = createRandomId<ConsentId>;
