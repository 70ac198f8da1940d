import type { Fault } from "@cobs/cobs-model";
import { EdgeRefusal, type IncomingCall } from "@cobs/service-edge";

/**
 * Reads the single value of a header. Adds PARAMETER_INVALID if the header came more than once, and then treats it as
 * missing.
 */
export function readSingleHeader(call: IncomingCall, name: string, faults: Fault[]): string | undefined {
  try {
    return call.header(name);
  } catch (error) {
    if (!(error instanceof EdgeRefusal) || error.code !== "header_repeated") throw error;
    faults.push({ code: "PARAMETER_INVALID", path: error.path, message: error.message });
    return undefined;
  }
}
