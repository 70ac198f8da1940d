import { APPLICATION_ERRORS } from "./application-errors.ts";
import { BANK_ERRORS } from "./bank-errors.ts";
import { BROWSER_ERRORS } from "./browser-errors.ts";
import { CLIENT_ERRORS } from "./client-errors.ts";
import type { EndpointErrors } from "./error-row.ts";
import { GRANTED_ERRORS } from "./token-errors.ts";

/** Every error of every OAuth endpoint, row by row as in the package's ERRORS.md. */
export const ENDPOINT_ERRORS: readonly EndpointErrors[] = [
  CLIENT_ERRORS,
  ...GRANTED_ERRORS,
  ...BROWSER_ERRORS,
  BANK_ERRORS,
  ...APPLICATION_ERRORS,
];
