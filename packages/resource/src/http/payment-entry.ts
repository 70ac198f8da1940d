import { createHash } from "node:crypto";
import { ContentRefusal, type Fault, presentPayment } from "@cobs/cobs-model";
import type { IncomingCall } from "@cobs/service-edge";
import { canonicalize } from "json-canonicalize";
import {
  type EntryInput,
  type EntryParts,
  enterPayment,
  IDEMPOTENCY_KEY,
} from "../initiation/enter-payment.ts";
import { presentedPaymentOf } from "../payments/payment-statuses.ts";
import { PAYMENT_ENTRY } from "./cobs-resources.ts";
import type { OfferedResource } from "./offered-resource.ts";
import { readSentJson } from "./read-sent-json.ts";
import { readSingleHeader } from "./read-single-header.ts";

const KEY = /^[A-Za-z0-9._~:-]{1,64}$/;

/** Serves `POST /my/payments` (COBS 3.2.4); 200, as in the examples. */
export function paymentEntry(parts: EntryParts): OfferedResource<Omit<EntryInput, "faults">> {
  return {
    resource: PAYMENT_ENTRY,
    read: async (call) => {
      const { body, faults: unreadable } = await readSentJson(call);
      const { key, faults } = readIdempotencyKey(call);
      const isKept = key !== undefined && body !== undefined;
      const idempotency = isKept ? { key, bodyHash: hashOf(body) } : undefined;
      // The call is admitted after this, once its body is there.
      const heard = parts.payers.heard();
      const query = { body, idempotency, heard, requestId: call.requestId };
      return { query, faults: [...faults, ...unreadable] };
    },
    answer: async (admission, { query, faults }) => {
      if (query.body === undefined) throw new ContentRefusal(faults);
      const payment = await enterPayment(parts, admission, { ...query, faults });
      return {
        status: 200,
        json: presentPayment(presentedPaymentOf(payment)),
        facts: { paymentId: payment.id },
      };
    },
  };
}

function readIdempotencyKey(call: IncomingCall): {
  readonly key: string | undefined;
  readonly faults: readonly Fault[];
} {
  const faults: Fault[] = [];
  const key = readSingleHeader(call, IDEMPOTENCY_KEY, faults);
  if (key === undefined || KEY.test(key)) return { key, faults };
  const message = `${IDEMPOTENCY_KEY} must be 1 to 64 letters, digits and . _ ~ : -`;
  return { key: undefined, faults: [{ code: "FIELD_INVALID", path: IDEMPOTENCY_KEY, message }] };
}

/** Hashes the content of the body: spaces and the order of members make no difference. */
function hashOf(body: unknown): Buffer {
  return createHash("sha256").update(canonicalize(body), "utf8").digest();
}
