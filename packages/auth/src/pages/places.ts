/** Where an authorization asks the PSU; the name of the authorization follows. */
export const INTERACTION_PATH = "/oauth/interaction";

/** Where a PSU approves an order; the id of the order follows. */
export const SIGNING_PATH = "/sign";

/** The one address of the pages of a PSU's consents. */
export const CONSENTS_PATH = "/consents";

/** The page about what a PSU signs in with. */
export const AUTHENTICATOR_PATH = "/authenticator";
