import { parameterOf } from "../references.ts";

/** Headers that any call may have. */
export const CALL_HEADERS = [parameterOf("X-Request-ID"), parameterOf("Action-ID")];

const resourceHeaders = (tppName: string) => [
  ...CALL_HEADERS,
  parameterOf(tppName),
  parameterOf("TPP-Identification"),
  parameterOf("User-IP-Address"),
];

/** Headers of a call of the resources of COBS. */
export const RESOURCE_HEADERS = resourceHeaders("TPP-Name");
/** The same headers for resources where no bank may require `TPP-Name` (COBS 3.2.7, 3.3.3). */
export const HEADERS_WITHOUT_TPP_NAME = resourceHeaders("TPP-Name-Optional");
