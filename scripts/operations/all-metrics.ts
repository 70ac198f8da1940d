import {
  createCacheMetrics,
  createCertificateMetrics,
  createJobMetrics,
  createLog,
  createMetrics,
  createOutgoingMetrics,
} from "@cobs/service-edge";
import type { Registry } from "prom-client";
import { createSealingMetrics } from "../../packages/auth/src/audit/sealing-metrics.ts";
import { createConsentUseMetrics } from "../../packages/auth/src/consent/use-metrics.ts";
import { createDeliveryMetrics } from "../../packages/auth/src/delivery/delivery-metrics.ts";
import { createEpochMetrics } from "../../packages/auth/src/ephemeral/epoch-metrics.ts";
import { createFeedMetrics } from "../../packages/auth/src/feed/feed-metrics.ts";
import { createRateLimitMetrics } from "../../packages/auth/src/limits/rate-limit-metrics.ts";
import { createLoginMetrics } from "../../packages/auth/src/psu/upstream/login-metrics.ts";
import { createRegisterMetrics } from "../../packages/auth/src/tpp-register/register-metrics.ts";
import { createCoreMetrics } from "../../packages/resource/src/bank/http-connector/core-metrics.ts";
import { createEndingsMetrics } from "../../packages/resource/src/endings/endings-metrics.ts";
import { createExecutionMetrics } from "../../packages/resource/src/execution/execution-metrics.ts";
import { createRefusalMetrics } from "../../packages/resource/src/http/refusal-metrics.ts";
import { createPaymentMetrics } from "../../packages/resource/src/payments/payment-metrics.ts";
import { createConnectionMetrics } from "../../packages/service-edge/src/metrics/connection-metrics.ts";
import { createDatabaseMetrics } from "../../packages/service-edge/src/metrics/database-metrics.ts";
import { createOwnCertificateMetrics } from "../../packages/service-edge/src/metrics/own-certificate-metrics.ts";
import { addPoolMetrics } from "../../packages/service-edge/src/metrics/pool-metrics.ts";
import { addReadinessMetrics } from "../../packages/service-edge/src/metrics/readiness-metrics.ts";
import { createRedisMetrics } from "../../packages/service-edge/src/redis/redis-metrics.ts";

/** One metric, as a person looks it up. */
export interface DescribedMetric {
  readonly name: string;
  readonly type: string;
  readonly labels: readonly string[];
  readonly help: string;
  /** Which of the two services have it, in any configuration. */
  readonly services: readonly string[];
}

/** Metrics that Node itself provides. */
export const OF_NODE = /^(process|nodejs)_/;

/** Every metric that a process of either service can have, except Node's, by name. */
export async function allMetrics(): Promise<readonly DescribedMetric[]> {
  const ofAuth = await describe(createOfAuth());
  const ofResource = await describe(createOfResource());
  const names = new Set([...ofAuth, ...ofResource].map(({ name }) => name));
  return [...names].sort().flatMap((name) => {
    const [inAuth, inResource] = [ofAuth, ofResource].map((all) => all.find((each) => each.name === name));
    const found = inAuth ?? inResource;
    const services = [...(inAuth ? ["auth"] : []), ...(inResource ? ["resource"] : [])];
    return found === undefined ? [] : [{ ...found, services }];
  });
}

function createOfBoth(service: string) {
  const metrics = createMetrics(service);
  createCacheMetrics(metrics);
  const log = createLog(service, "silent");
  createJobMetrics(metrics, log);
  createCertificateMetrics(metrics);
  createConnectionMetrics(metrics);
  createOutgoingMetrics(metrics);
  createOwnCertificateMetrics(metrics, log);
  createDatabaseMetrics(metrics, { idleCount: 0, totalCount: 0, waitingCount: 0 }, 0);
  addPoolMetrics(metrics.registry, { wanted: 0, ready: () => 0 });
  addReadinessMetrics(metrics, { running: true }, async () => ({}));
  return metrics;
}

function createOfAuth(): Registry {
  const metrics = createOfBoth("auth");
  createSealingMetrics(metrics);
  createConsentUseMetrics(metrics);
  createEpochMetrics(metrics);
  createDeliveryMetrics(metrics);
  createFeedMetrics(metrics, { head: async () => 0 });
  createLoginMetrics(metrics);
  createRateLimitMetrics(metrics);
  createRegisterMetrics(metrics);
  createRedisMetrics(metrics);
  return metrics.registry;
}

function createOfResource(): Registry {
  const metrics = createOfBoth("resource");
  createCoreMetrics(metrics, { circuits: () => [], waiting: () => 0 });
  createEndingsMetrics(metrics, { position: () => 0, behind: () => 0, ageSeconds: () => 0 }, 0);
  createExecutionMetrics(metrics, { run: async () => [] });
  createRefusalMetrics(metrics);
  createPaymentMetrics(metrics);
  return metrics.registry;
}

async function describe(registry: Registry): Promise<readonly Omit<DescribedMetric, "services">[]> {
  const labelsOf = new Map(registry.getMetricsAsArray().map((metric) => [metric.name, labelNamesOf(metric)]));
  const families = await registry.getMetricsAsJSON();
  return families
    .filter(({ name }) => !OF_NODE.test(name))
    .map(({ name, help, type }) => ({ name, help, type: String(type), labels: labelsOf.get(name) ?? [] }));
}

function labelNamesOf(metric: object): readonly string[] {
  return "labelNames" in metric && Array.isArray(metric.labelNames) ? metric.labelNames.map(String) : [];
}
