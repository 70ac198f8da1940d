import { createRandomId, parseRandomId } from "../random-id.ts";

/** One version of a consent; also the id of the provider's grant that projects it. Not a secret. */
export type ConsentId = string & { readonly brand: "ConsentId" };

/** Takes a consent id from the provider or a store; undefined when it is none. */
export const parseConsentId = parseRandomId<ConsentId>;

/** Makes a new one of 128 random bits. */
export const createConsentId = createRandomId<ConsentId>;
