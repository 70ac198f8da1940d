import { type Fault, keepNumber } from "@cobs/cobs-model";
import { EdgeRefusal, type IncomingCall } from "@cobs/service-edge";

/** The body of a call, numbers without loss; undefined where it is no JSON, which is the one fault. */
export interface SentJson {
  readonly body: unknown;
  readonly faults: readonly Fault[];
}

/**
 * Reads the body of a call. One that is no JSON is a fault beside others (FF01), so that it is told together with those of
 * headers (COBS 1.2.10.1), and after an id that names nothing (1.3.1). Refuses as `readJson` what is too large or of another type.
 */
export async function readSentJson(call: IncomingCall): Promise<SentJson> {
  try {
    return { body: await call.readJson(keepNumber), faults: [] };
  } catch (error) {
    if (!(error instanceof EdgeRefusal) || error.code !== "body_malformed") throw error;
    return { body: undefined, faults: [{ code: "FF01", path: undefined, message: error.message }] };
  }
}
