import { APPLICATION_ERRORS } from "./application-errors.ts";
import { BANK_ERRORS } from "./bank-errors.ts";
import { BROWSER_ERRORS } from "./browser-errors.ts";
import { CLIENT_ERRORS } from "./client-errors.ts";
import type { EndpointErrors } from "./error-row.ts";
import { GRANTED_ERRORS } from "./token-errors.ts";

/** Every error of every endpoint of OAuth, as ERRORS.md of the package lists them: a row there is a row here. */
export const ENDPOINT_ERRORS: readonly EndpointErrors[] = [
  CLIENT_ERRORS,
  ...GRANTED_ERRORS,
  ...BROWSER_ERRORS,
  BANK_ERRORS,
  ...APPLICATION_ERRORS,
];
