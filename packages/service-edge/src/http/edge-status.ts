import type { EdgeRefusalCode } from "./edge-refusal.ts";

/** The HTTP status of each refusal at the rim (RFC 9110 section 15.5; 415 also for Accept, COBS 2.0 1.2.10). */
export const EDGE_STATUS: Readonly<Record<EdgeRefusalCode, number>> = {
  route_unknown: 404,
  method_not_allowed: 405,
  host_unknown: 421,
  host_malformed: 400,
  body_too_large: 413,
  media_type_unsupported: 415,
  not_acceptable: 415,
  body_malformed: 400,
  header_repeated: 400,
  path_malformed: 400,
};
