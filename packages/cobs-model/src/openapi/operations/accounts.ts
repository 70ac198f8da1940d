import { ACCOUNT_SORT_FIELDS } from "../../account-list-query.ts";
import type { DescribedOperation } from "../described-operation.ts";
import { ACCOUNT_LIST_EXAMPLE, BALANCES_EXAMPLE, NO_ACCOUNTS_EXAMPLE } from "../examples/accounts.ts";
import { EVERY_ANSWER } from "../headers.ts";
import { optionalQuery, sortBy } from "../parameters.ts";
import { headersOf, parameterOf, responseOf, schemaOf } from "../references.ts";
import { EVERY_API_ANSWER, MALFORMED_CALL } from "../responses/api-answers.ts";
import { type ApiError, apiErrors } from "../responses/error-answers.ts";
import { FOR_ACCOUNTS } from "../security.ts";
import { RESOURCE_HEADERS } from "./call-headers.ts";

/** Headers of an answer with texts in one language. */
export const LOCALIZED = { ...EVERY_ANSWER, ...headersOf("Content-Language", "Vary") };

/** The page is past the end. */
export const NO_SUCH_PAGE: ApiError = {
  code: "PAGE_NOT_FOUND",
  when: "the page is past the last one",
  scope: "page",
  message: "there is no such page",
};

/** A query parameter that is not a number, not a known field, or given twice. */
const WRONG_PARAMETER: ApiError = {
  code: "PARAMETER_INVALID",
  when: "a parameter is malformed, has an unknown value, or is given twice",
  scope: "sort",
  message: `sort may only contain ${ACCOUNT_SORT_FIELDS.join(", ")}, each at most once`,
};

/** A header that has an impossible value, or is missing. */
export const WRONG_INVOLVEMENT: ApiError = {
  code: "PARAMETER_INVALID",
  when: "`User-Involved` is neither `true` nor `false`, or `TPP-Name` is missing at a bank that requires it",
  scope: "User-Involved",
  message: "User-Involved must be true or false",
};

const CURRENCY_TWICE: ApiError = {
  code: "PARAMETER_INVALID",
  when: "`currency` is given twice",
  scope: "currency",
  message: "currency is given more than once",
};

/** The account is not in the consent, whether or not it exists. */
export const UNKNOWN_ACCOUNT: ApiError = {
  code: "ID_NOT_FOUND",
  when: "the account is unknown, not the PSU's, or not in the consent",
  scope: "id",
  message: "there is no such account in this consent",
};

/** The account is not kept in the currency. */
export const WRONG_CURRENCY: ApiError = {
  code: "AC09",
  when: "the account is not kept in this currency, or it is not a currency",
  scope: "currency",
  message: "currency is not a currency of the account",
};

/** `currency`, for an account with several. */
export const CURRENCY = (otherwise: string) =>
  optionalQuery("currency", `Currency of a multi-currency account (ISO 4217). ${otherwise}`, {
    schema: schemaOf("CurrencyCode"),
    example: "EUR",
  });

const LIST: DescribedOperation = {
  host: "resource",
  method: "get",
  path: "/cobs/2.0/my/accounts",
  operationId: "listAccounts",
  tags: ["Accounts"],
  summary: "The accounts that the PSU has consented to",
  description:
    "R1, COBS 3.1.3. Returns a page of the payment accounts in the consent. Balances and transactions need their `id`. `HEAD` returns only the headers.",
  security: FOR_ACCOUNTS,
  parameters: [
    parameterOf("page"),
    parameterOf("size"),
    sortBy(ACCOUNT_SORT_FIELDS, "", "currency,nameI18N"),
    parameterOf("order"),
    parameterOf("User-Involved"),
    parameterOf("Accept-Language"),
    ...RESOURCE_HEADERS,
  ],
  responses: {
    200: {
      description: "A page of accounts. The first page is empty if the consent has none.",
      headers: LOCALIZED,
      content: {
        "application/json": {
          schema: schemaOf("AccountList"),
          examples: {
            two: { summary: "two accounts", value: ACCOUNT_LIST_EXAMPLE },
            none: { summary: "no account", value: NO_ACCOUNTS_EXAMPLE },
          },
        },
      },
    },
    400: apiErrors("One or more parameters are wrong.", [
      NO_SUCH_PAGE,
      WRONG_PARAMETER,
      WRONG_INVOLVEMENT,
      MALFORMED_CALL,
    ]),
    ...EVERY_API_ANSWER,
  },
};

const BALANCE: DescribedOperation = {
  host: "resource",
  method: "get",
  path: "/cobs/2.0/my/accounts/{id}/balance",
  operationId: "readBalance",
  tags: ["Accounts"],
  summary: "The balances of an account",
  description:
    "R2, COBS 3.1.4. Returns the balances that the bank keeps: what the PSU can spend (`CLAV`), and the booked balance now (`ITBD`), at the end of the previous day (`PRCD`) or at the end of the day (`CLBD`). `HEAD` returns only the headers, and counts as an access.",
  security: FOR_ACCOUNTS,
  parameters: [
    parameterOf("accountId"),
    CURRENCY("Without it, you get the balances in all currencies, the main currency first."),
    parameterOf("User-Involved"),
    ...RESOURCE_HEADERS,
  ],
  responses: {
    200: {
      description: "The balances at this moment.",
      headers: EVERY_ANSWER,
      content: {
        "application/json": {
          schema: schemaOf("Balances"),
          examples: { overdraft: { summary: "with an overdraft", value: BALANCES_EXAMPLE } },
        },
      },
    },
    400: apiErrors("One or more parameters are wrong.", [
      WRONG_CURRENCY,
      CURRENCY_TWICE,
      WRONG_INVOLVEMENT,
      MALFORMED_CALL,
    ]),
    404: apiErrors("The consent has no such account.", [UNKNOWN_ACCOUNT]),
    ...EVERY_API_ANSWER,
    429: responseOf("ApiTooOften"),
  },
};

/** Operations R1 and R2. */
export const ACCOUNT_OPERATIONS: readonly DescribedOperation[] = [LIST, BALANCE];
