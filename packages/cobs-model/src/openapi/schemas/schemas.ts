import type { Schema } from "../openapi-document.ts";
import { ACCOUNT_SCHEMAS } from "./account.ts";
import { APPLICATION_SCHEMAS } from "./application.ts";
import { BALANCE_SCHEMAS } from "./balance.ts";
import { BALANCE_CHECK_SCHEMAS } from "./balance-check.ts";
import { ERROR_SCHEMAS } from "./errors.ts";
import { OAUTH_SCHEMAS } from "./oauth.ts";
import { PARTY_SCHEMAS } from "./parties.ts";
import { PAYMENT_SCHEMAS } from "./payment.ts";
import { SIGNING_SCHEMAS } from "./signing.ts";
import { FORMAT_SCHEMAS } from "./texts.ts";
import { TRANSACTION_SCHEMAS } from "./transaction.ts";

/** Every schema of the interface, by its name. */
export const SCHEMAS: Readonly<Record<string, Schema>> = {
  ...ACCOUNT_SCHEMAS,
  ...BALANCE_SCHEMAS,
  ...TRANSACTION_SCHEMAS,
  ...PARTY_SCHEMAS,
  ...PAYMENT_SCHEMAS,
  ...SIGNING_SCHEMAS,
  ...BALANCE_CHECK_SCHEMAS,
  ...APPLICATION_SCHEMAS,
  ...OAUTH_SCHEMAS,
  ...ERROR_SCHEMAS,
  ...FORMAT_SCHEMAS,
};
