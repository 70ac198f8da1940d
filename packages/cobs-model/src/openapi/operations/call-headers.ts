import { parameterOf } from "../references.ts";

/** The headers that any call may have. */
export const CALL_HEADERS = [parameterOf("X-Request-ID"), parameterOf("Action-ID")];
/** Those of a call of the resources of COBS. */
export const RESOURCE_HEADERS = [
  ...CALL_HEADERS,
  parameterOf("TPP-Name"),
  parameterOf("TPP-Identification"),
  parameterOf("User-IP-Address"),
];
