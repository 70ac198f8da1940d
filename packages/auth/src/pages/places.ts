/** Where a PSU is asked in an authorization; the name of that one comes behind it. */
export const INTERACTION_PATH = "/oauth/interaction";

/** Where a PSU approves an order; its id comes behind it. */
export const SIGNING_PATH = "/sign";

/** The one address of the pages of a PSU's consents. */
export const CONSENTS_PATH = "/consents";

/** The page of what a PSU signs in with. */
export const AUTHENTICATOR_PATH = "/authenticator";
