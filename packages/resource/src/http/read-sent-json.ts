import { type Fault, keepNumber } from "@cobs/cobs-model";
import { EdgeRefusal, type IncomingCall } from "@cobs/service-edge";

/** The body of a call, with numbers kept exactly; undefined if it is not JSON, which is then the only fault. */
export interface SentJson {
  readonly body: unknown;
  readonly faults: readonly Fault[];
}

/**
 * Reads the body of a call. A body that is not JSON is a fault among others (FF01), so that it is told together with those of
 * headers (COBS 1.2.10.1), and after an id that names nothing (1.3.1). Refuses, like `readJson`, a body that is too large or
 * of another type.
 */
export async function readSentJson(call: IncomingCall): Promise<SentJson> {
  try {
    return { body: await call.readJson(keepNumber), faults: [] };
  } catch (error) {
    if (!(error instanceof EdgeRefusal) || error.code !== "body_malformed") throw error;
    return { body: undefined, faults: [{ code: "FF01", path: undefined, message: error.message }] };
  }
}
