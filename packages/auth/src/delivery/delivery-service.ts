/**
 * Delivery by a service of the bank, over TLS with our own client certificate: one POST for each text. The contract is
 * "Delivery of texts" in BANK-INTERFACES.md. This file owns how the service is asked; it does not own what is sent, nor how
 * often.
 */
import { type Log, type PrivateClient, PrivateServiceUnavailable } from "@cobs/service-edge";
import { type Deliver, type DeliveredText, DeliveryFailed } from "./deliver.ts";

/** What the service is reached with. */
export interface DeliveryServiceParts {
  readonly client: Pick<PrivateClient, "postJson">;
  readonly url: URL;
  readonly log: Log;
}

/** The text is on its way. */
const TAKEN: readonly number[] = [200, 201, 202, 204];

/**
 * Delivers through the service. An answer that is lost is asked for once more under the same key, so that the text is sent
 * once; any other answer is final. Both together take five seconds at most.
 */
export function createServiceDelivery({ client, url, log }: DeliveryServiceParts): Deliver {
  const post = (delivered: DeliveredText) =>
    // Whole: a path alone that begins with two slashes names another host.
    client.postJson(url.href, presentDelivery(delivered), { "idempotency-key": delivered.id });
  return async (delivered) => {
    try {
      const { status } = await post(delivered).catch((error: unknown) => {
        if (error instanceof PrivateServiceUnavailable) return post(delivered);
        throw error;
      });
      if (!TAKEN.includes(status)) throw new DeliveryFailed(`the delivery service answers ${status}`);
    } catch (error) {
      const isExpected = error instanceof DeliveryFailed || error instanceof PrivateServiceUnavailable;
      if (!isExpected) throw error;
      const facts = { reason: reasonOf(error), delivery: delivered.id, requestId: delivered.requestId };
      log.warn(facts, "a text could not be delivered");
      throw new DeliveryFailed("the delivery service did not take the text", { cause: error });
    }
  };
}

/** What happened on the way, beneath what the client made of it; there is no word of the text in it. */
function reasonOf(error: DeliveryFailed | PrivateServiceUnavailable): string {
  return error instanceof PrivateServiceUnavailable ? error.reason : error.message;
}

function presentDelivery({ expiresAt, ...delivered }: DeliveredText): object {
  return { ...delivered, expiresAt: expiresAt.toISOString() };
}
