/**
 * Delivery by a service of the bank, over TLS with our own client certificate: one POST for each text. The contract is "Delivery
 * of texts" in BANK-INTERFACES.md. This file owns how the service is called, not what is sent, nor how often.
 */
import { type Log, type PrivateClient, PrivateServiceUnavailable } from "@cobs/service-edge";
import { type Deliver, type DeliveredText, DeliveryFailed } from "./deliver.ts";

/** What the service is reached with. */
export interface DeliveryServiceParts {
  readonly client: Pick<PrivateClient, "postJson">;
  readonly url: URL;
  readonly log: Log;
}

/** Statuses that mean that the text is on its way. */
const TAKEN: readonly number[] = [200, 201, 202, 204];

/**
 * Makes the delivery through the service. When the response is lost, the same request is sent once more under the same key, so
 * that the text is sent once; any other response is final. Both together take at most five seconds.
 */
export function createServiceDelivery({ client, url, log }: DeliveryServiceParts): Deliver {
  const post = (delivered: DeliveredText) =>
    // The whole URL: a path alone that begins with two slashes names another host.
    client.postJson(url.href, presentDelivery(delivered), { "idempotency-key": delivered.id });
  return async (delivered) => {
    try {
      const { status } = await post(delivered).catch((error: unknown) => {
        if (error instanceof PrivateServiceUnavailable) return post(delivered);
        throw error;
      });
      if (!TAKEN.includes(status)) throw new DeliveryFailed(`the delivery service answered ${status}`);
    } catch (error) {
      const isExpected = error instanceof DeliveryFailed || error instanceof PrivateServiceUnavailable;
      if (!isExpected) throw error;
      const facts = { reason: reasonOf(error), delivery: delivered.id, requestId: delivered.requestId };
      log.warn(facts, "a text could not be delivered");
      throw new DeliveryFailed("the delivery service did not accept the text", { cause: error });
    }
  };
}

/** The cause beneath the client's error; it contains nothing of the text. */
function reasonOf(error: DeliveryFailed | PrivateServiceUnavailable): string {
  return error instanceof PrivateServiceUnavailable ? error.reason : error.message;
}

function presentDelivery({ expiresAt, ...delivered }: DeliveredText): object {
  return { ...delivered, expiresAt: expiresAt.toISOString() };
}
