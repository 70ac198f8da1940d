import type { Fault } from "@cobs/cobs-model";
import { EdgeRefusal, type IncomingCall } from "@cobs/service-edge";

/** The one value of a header; adds PARAMETER_INVALID for one that came more than once, which is then as good as absent. */
export function readSingleHeader(call: IncomingCall, name: string, faults: Fault[]): string | undefined {
  try {
    return call.header(name);
  } catch (error) {
    if (!(error instanceof EdgeRefusal) || error.code !== "header_repeated") throw error;
    faults.push({ code: "PARAMETER_INVALID", path: error.path, message: error.message });
    return undefined;
  }
}
