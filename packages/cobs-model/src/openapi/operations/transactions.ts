import { NO_DATE_OR_TIME } from "../../bank-time.ts";
import { TRANSACTION_SORT_FIELDS } from "../../transaction-list-query.ts";
import type { DescribedOperation } from "../described-operation.ts";
import { TRANSACTION_LIST_EXAMPLES } from "../examples/transactions.ts";
import type { Parameter } from "../openapi-document.ts";
import { optionalQuery, sortBy } from "../parameters.ts";
import { parameterOf, responseOf, schemaOf } from "../references.ts";
import { EVERY_API_ANSWER, MALFORMED_CALL } from "../responses/api-answers.ts";
import { type ApiError, apiErrors } from "../responses/error-answers.ts";
import { FOR_ACCOUNTS } from "../security.ts";
import {
  CURRENCY,
  LOCALIZED,
  NO_SUCH_PAGE,
  UNKNOWN_ACCOUNT,
  WRONG_CURRENCY,
  WRONG_INVOLVEMENT,
} from "./accounts.ts";
import { RESOURCE_HEADERS } from "./call-headers.ts";

const DATE =
  "A day at the bank (`2024-05-02`, Europe/Prague) or a moment with its offset (`2024-05-02T10:15:00+02:00`).";

const PARAMETERS: readonly Parameter[] = [
  optionalQuery(
    "fromDate",
    `Start of the period. ${DATE} Without it, the period is the last 90 days. Older transactions need a recent strong authentication of the PSU for this consent (RTS on SCA Article 10a(1)(b)).`,
    { schema: { type: "string" }, example: "2024-04-01" },
  ),
  optionalQuery(
    "toDate",
    `End of the period, including all of the day, minute, second or millisecond that it names. ${DATE} Without it, the period ends now.`,
    {
      schema: { type: "string" },
      example: "2024-05-02T23:59:59+02:00",
    },
  ),
  CURRENCY("Without it, you get the main currency."),
];

const WRONG_DATES: readonly ApiError[] = [
  {
    code: "DT01",
    when: "`fromDate` is too old; or `toDate` is before `fromDate`, or before the default period",
    scope: "fromDate",
    parameters: { DATE: "DATE_TO_OLD" },
    message: "fromDate is more than 90 days ago: the PSU must authenticate again for this consent",
  },
  {
    code: "DT01",
    when: "a date is in the future",
    scope: "toDate",
    parameters: { DATE: "DATE_IN_FUTURE" },
    message: "toDate is in the future",
  },
];

const WRONG_PARAMETERS: readonly ApiError[] = [
  {
    code: "PARAMETER_INVALID",
    when: "a parameter is malformed, has an unknown value, or is given twice, or a moment has no offset",
    scope: "fromDate",
    message: `fromDate ${NO_DATE_OR_TIME}`,
  },
  {
    code: "PARAMETER_INVALID",
    when: "more than 10,000 transactions would have to be sorted, in an order other than that of booking",
    scope: "sort",
    parameters: { LIMIT: 10000 },
    message:
      "more than LIMIT transactions can only be sorted by bookingDate; choose fewer days, or sort by bookingDate",
  },
  WRONG_INVOLVEMENT,
  MALFORMED_CALL,
];

/** Operation R3. */
export const TRANSACTION_OPERATIONS: readonly DescribedOperation[] = [
  {
    host: "resource",
    method: "get",
    path: "/cobs/2.0/my/accounts/{id}/transactions",
    operationId: "listTransactions",
    tags: ["Accounts"],
    summary: "The history of an account",
    description:
      "R3, COBS 3.1.5. Returns a page of the transactions in one currency, booked and blocked. Unless `sort` says otherwise, the newest come first: blocked entries, then booked ones. Pages are not taken from one snapshot: entries that are booked, blocked or released between two calls move the others, so you may see an entry twice or miss it, and the page that `nextPage` names may be gone (PAGE_NOT_FOUND). With `sort=bookingDate`, newly booked entries come after all booked ones; without `fromDate`, the period loses its first day at midnight (Europe/Prague), which moves all of them. `HEAD` returns only the headers, and counts as an access.",
    security: FOR_ACCOUNTS,
    parameters: [
      parameterOf("accountId"),
      ...PARAMETERS,
      parameterOf("page"),
      parameterOf("size"),
      sortBy(
        TRANSACTION_SORT_FIELDS,
        " `bookingDate` alone is the order of booking, for any number of transactions; any other order is possible for at most 10,000. Blocked entries have not been booked: in the order of booking they are where the bank puts them, whatever their `bookingDate`; usually after all booked ones, so first with `desc`.",
        "bookingDate",
      ),
      parameterOf("order"),
      parameterOf("User-Involved"),
      parameterOf("Accept-Language"),
      ...RESOURCE_HEADERS,
    ],
    responses: {
      200: {
        description: "A page of the history. The first page is empty if nothing matches.",
        headers: LOCALIZED,
        content: {
          "application/json": { schema: schemaOf("TransactionList"), examples: TRANSACTION_LIST_EXAMPLES },
        },
      },
      400: apiErrors("One or more parameters are wrong.", [
        WRONG_CURRENCY,
        ...WRONG_DATES,
        ...WRONG_PARAMETERS,
      ]),
      404: apiErrors("The consent has no such account, or there is no such page.", [
        UNKNOWN_ACCOUNT,
        NO_SUCH_PAGE,
      ]),
      ...EVERY_API_ANSWER,
      429: responseOf("ApiTooOften"),
    },
  },
];
