/**
 * Chooses how texts reach PSUs, as configured, and starts the delivery of notices that PSUs did not ask for. It only
 * puts parts together and decides nothing itself.
 */
import { createPrivateClient, type ServiceParts } from "@cobs/service-edge";
import type { AuthConfiguration } from "./config.ts";
import type { Deliver } from "./delivery/deliver.ts";
import { createDeliveryMetrics } from "./delivery/delivery-metrics.ts";
import { createServiceDelivery } from "./delivery/delivery-service.ts";
import { createSandboxInbox, type SandboxInbox } from "./delivery/sandbox-inbox-postgres.ts";
import { startTelling } from "./notices/start-telling.ts";
import { createWaitingNotices } from "./notices/waiting-notices-postgres.ts";

/** Most octets that the delivery service may answer with; the answer is not read. */
const DELIVERY_ANSWER_OCTETS = 65_536;

/** How texts are delivered; only the sandbox has an inbox. */
export interface Delivery {
  readonly deliver: Deliver;
  readonly inbox?: SandboxInbox;
}

/** Opens the configured delivery and starts delivering waiting notices; undefined when none is configured. */
export function openDelivery(config: AuthConfiguration, parts: ServiceParts): Delivery | undefined {
  const delivery = findDelivery(config, parts);
  if (delivery === undefined) return undefined;
  const { database, clock, log, lifecycle, metrics, countJob } = parts;
  const figures = createDeliveryMetrics(metrics);
  const deliver = figures.count(delivery.deliver);
  const telling = startTelling({
    notices: createWaitingNotices(database),
    deliver,
    gaveUp: figures.gaveUpNotice,
    clock,
    log,
    again: countJob("notices"),
  });
  lifecycle.onStop("notices", telling.stop);
  return { ...delivery, deliver };
}

function findDelivery(
  { signing: { delivery }, ...config }: AuthConfiguration,
  { database, clock, log, lifecycle, identity, outgoing, tracing }: ServiceParts,
): Delivery | undefined {
  switch (delivery.kind) {
    case "none":
      return undefined;
    case "inbox": {
      const inbox = createSandboxInbox(database, config.sealingKey, clock);
      return { deliver: inbox.deliver, inbox };
    }
    case "service": {
      const { url } = delivery;
      const client = createPrivateClient({
        service: "the delivery service",
        base: url,
        authority: config.bankAuthority,
        identity,
        limitOctets: DELIVERY_ANSWER_OCTETS,
        keepsConnections: false,
      });
      lifecycle.onStop("client of delivery", () => client.close());
      const timed = outgoing.ofClient(client, "delivery");
      const deliver = createServiceDelivery({ client: timed, url, log });
      const facts = { "http.request.method": "POST", "peer.service": "delivery" };
      return { deliver: (text) => tracing.asking("POST delivery", facts, () => deliver(text)) };
    }
  }
}
