/** Tables: the HTTP status of each error of COBS (1.2.10), and the error of COBS for each refusal of the service edge. */
import type { CobsErrorCode } from "@cobs/cobs-model";
import type { EdgeRefusalCode } from "@cobs/service-edge";
import { PAYMENT_BALANCE_CHECK, PAYMENT_ENTRY, TRANSACTION_LIST } from "./cobs-resources.ts";

/** The status of each code (COBS 1.2.10), unless its resource has another. */
const COBS_STATUS: Readonly<Record<CobsErrorCode, number>> = {
  UNAUTHORISED: 401,
  FORBIDDEN: 403,
  PAGE_NOT_FOUND: 400,
  PARAMETER_INVALID: 400,
  ID_NOT_FOUND: 404,
  TRANSACTION_MISSING: 404,
  NOT_IMPLEMENTED: 501,
  AUTH_LIMIT_EXCEEDED: 400,
  FIELD_MISSING: 400,
  FIELD_INVALID: 400,
  AC02: 400,
  AC03: 400,
  AC09: 400,
  AC10: 400,
  AC12: 400,
  AG01: 403,
  AM05: 400,
  AM11: 400,
  AM12: 400,
  BE19: 400,
  DT01: 400,
  FF01: 400,
  NARR: 400,
  NO_PART: 400,
  RC07: 400,
  RC10: 400,
  REC_SEND: 400,
  RF01: 400,
  RR03: 400,
  RR10: 400,
  NOT_FOUND: 404,
  UNSUPPORTED_MEDIA_TYPE: 415,
  UNPROCESSABLE_ENTITY: 422,
};

/** Table: where the standard gives a code another status, by the route's path. */
const STATUS_AT_ROUTE: Readonly<Record<string, Partial<Readonly<Record<CobsErrorCode, number>>>>> = {
  [TRANSACTION_LIST.path]: { PAGE_NOT_FOUND: 404 },
};

const TELLS_OF_CONSENT: ReadonlySet<string> = new Set([PAYMENT_ENTRY.path, PAYMENT_BALANCE_CHECK.path]);

/**
 * Whether the standard has its own code for a missing consent: AG01 (COBS 3.2.3, 3.2.4, A-63). A slash at the end of the path
 * changes nothing.
 */
export function tellsOfConsent(route: string): boolean {
  return TELLS_OF_CONSENT.has(route.replace(/\/$/, ""));
}

/** Finds the status of a code at a route (COBS 1.2.10). */
export function httpStatusOf(code: CobsErrorCode, route: string | undefined): number {
  return STATUS_AT_ROUTE[route ?? ""]?.[code] ?? COBS_STATUS[code];
}

/** Statuses by precedence when faults differ: the first one that occurs wins (COBS 1.2.10.1). */
export const STATUS_PRECEDENCE: readonly number[] = [401, 403, 404, 400];

/** The code of each refusal of the service edge. The standard has none for most of them, so NARR explains in words. */
export const EDGE_CODE: Readonly<Record<EdgeRefusalCode, CobsErrorCode>> = {
  route_unknown: "NOT_FOUND",
  method_not_allowed: "NARR",
  host_unknown: "NARR",
  host_malformed: "NARR",
  body_too_large: "NARR",
  media_type_unsupported: "UNSUPPORTED_MEDIA_TYPE",
  not_acceptable: "UNSUPPORTED_MEDIA_TYPE",
  body_malformed: "FF01",
  header_repeated: "PARAMETER_INVALID",
  path_malformed: "PARAMETER_INVALID",
};
