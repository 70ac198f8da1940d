import type { Parameter } from "./openapi-document.ts";

const DIRECTION = "([Aa][Ss][Cc]|[Dd][Ee][Ss][Cc]|)";
const CALLERS_NAME = { type: "string", pattern: "^[A-Za-z0-9._:-]{1,60}$" } as const;

/** An optional header. */
export function optionalHeader(
  name: string,
  description: string,
  more: Pick<Parameter, "schema" | "example">,
): Parameter {
  return { name, in: "header", required: false, description, ...more };
}

/** An optional query parameter. */
export function optionalQuery(
  name: string,
  description: string,
  more: Pick<Parameter, "schema" | "example">,
): Parameter {
  return { name, in: "query", required: false, description, ...more };
}

/** Lists values in a description, each as code. */
function inCode(values: readonly string[]): string {
  return values.map((value) => `\`${value}\``).join(", ");
}

/** Fields by which an operation can sort. */
export function sortBy(fields: readonly string[], description: string, example: string): Parameter {
  const field = `(${fields.join("|")})`;
  return optionalQuery(
    "sort",
    `Fields to sort by, separated by commas, each at most once: ${inCode(fields)} (A-08).${description}`,
    { schema: { type: "string", pattern: `^${field}(,${field})*$` }, example },
  );
}

/** A part of the path. */
function pathPart(name: string, description: string, example: string): Parameter {
  return { name, in: "path", required: true, description, schema: { type: "string" }, example };
}

/** Table: parameters that several operations share, by name; a few more headers are in `bank-choices.ts`. */
export const PARAMETERS: Readonly<Record<string, Parameter>> = {
  "X-Request-ID": optionalHeader(
    "X-Request-ID",
    "Your id for this call, preferably a UUID. It is returned, and written to the bank's log (COBS OpenAPI). An id with other characters, or longer than 60, is ignored.",
    { schema: CALLERS_NAME, example: "3f0b7e7e-6a4b-4b9f-9d0e-5c6f6f1a2b3c" },
  ),
  "Action-ID": optionalHeader(
    "Action-ID",
    "Groups the calls of one process, e.g. all pages of a history. It is returned (COBS OpenAPI). An id with other characters, or longer than 60, is ignored.",
    { schema: CALLERS_NAME, example: "paging-2024-05-02" },
  ),
  "TPP-Identification": optionalHeader(
    "TPP-Identification",
    "Licence number of the TPP on whose behalf you call (COBS 3.1.3), only for information.",
    { schema: { type: "string" }, example: "CZ013574-15" },
  ),
  "Accept-Language": optionalHeader(
    "Accept-Language",
    "Languages for names and texts, `cs` or `en`, by preference (RFC 9110 12.5.4, COBS PDF 1.2.6). If none is available, the answer is in Czech.",
    { schema: { type: "string" }, example: "en, cs;q=0.5" },
  ),
  "User-IP-Address": optionalHeader(
    "User-IP-Address",
    "IP address of the PSU, if they are online (COBS OpenAPI), only for information.",
    {
      schema: { type: "string" },
      example: "198.51.100.23",
    },
  ),
  page: optionalQuery("page", "Number of the page, from 0 (COBS PDF 1.2.8.4).", {
    schema: { type: "integer", minimum: 0, default: 0 },
    example: 0,
  }),
  size: optionalQuery(
    "size",
    "Entries on a page (COBS PDF 1.2.8.4). At most 100, which is also the default.",
    { schema: { type: "integer", minimum: 1, default: 100 }, example: 25 },
  ),
  order: optionalQuery(
    "order",
    "Directions of `sort`, position by position: `asc` (also for an empty position) or `desc`, in any case; not more than `sort` has fields (COBS PDF 1.2.8.2).",
    { schema: { type: "string", pattern: `^${DIRECTION}(,${DIRECTION})*$` }, example: "desc" },
  ),
  "If-Match": optionalHeader(
    "If-Match",
    "The call takes effect only if the application still has this `ETag`; `*` matches any (RFC 9110 13.1.1). Otherwise the answer is 412.",
    { schema: { type: "string" }, example: '"c0077d53-c717-4f2c-9083-1be18bdd41f1"' },
  ),
  "If-None-Match": optionalHeader(
    "If-None-Match",
    "The call takes effect only if the application does not have this `ETag`; `*` matches any (RFC 9110 13.1.2). Otherwise the answer is 412.",
    { schema: { type: "string" }, example: '"c0077d53-c717-4f2c-9083-1be18bdd41f1"' },
  ),
  "Idempotency-Key": optionalHeader(
    "Idempotency-Key",
    "Your key for this payment, so that you can repeat a call whose answer was lost: the same body with the same key enters the payment once, and gets the first answer again.",
    {
      schema: { type: "string", pattern: "^[A-Za-z0-9._~:-]{1,64}$" },
      example: "0d3a4f6e-8a0f-4a8e-9a53-7d1f3f6f0c11",
    },
  ),
  applicationId: pathPart("id", "`client_id` of the application.", "Vq3mT1sXo0b9LwEr5cYzAg"),
  accountId: pathPart("id", "`id` of the account, from the list of accounts.", "a3f5c0d2e1b49876"),
  paymentId: pathPart("paymentId", "Id that the bank gave the payment.", "51b2c7d80f3e4a6c9b1d2e3f4a5b6c7d"),
  signId: pathPart("signId", "Id of the authorization of the payment.", "7c1e5a903f2b4d68a0c9e1d2b3f4a5c6"),
};
