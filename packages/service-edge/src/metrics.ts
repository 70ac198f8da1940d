import { Counter, collectDefaultMetrics, Histogram, Registry } from "prom-client";

/** One finished call, as the metrics see it. */
export interface ObservedCall {
  readonly listener: string;
  readonly route: string;
  readonly method: string;
  readonly status: number;
  readonly seconds: number;
}

/** Rate, errors and duration per route. */
export interface HttpMetrics {
  observe(call: ObservedCall): void;
}

/** The metrics of one process, in the Prometheus text format. */
export interface ProcessMetrics extends HttpMetrics {
  readonly registry: Registry;
  present(): Promise<{ readonly type: string; readonly body: string }>;
}

/** Creates the registry of a process with Node's own figures and those of HTTP. */
export function createMetrics(service: string): ProcessMetrics {
  const registry = new Registry();
  registry.setDefaultLabels({ service });
  collectDefaultMetrics({ register: registry });
  const labelNames = ["listener", "route", "method", "status"] as const;
  const requests = new Counter({
    name: "http_requests_total",
    help: "Answered calls.",
    labelNames,
    registers: [registry],
  });
  const durations = new Histogram({
    name: "http_request_duration_seconds",
    help: "Time from the first byte of a call to the last byte of its answer.",
    labelNames,
    registers: [registry],
    buckets: [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  });
  return {
    registry,
    observe: ({ seconds, status, ...labels }) => {
      requests.inc({ ...labels, status: String(status) });
      durations.observe({ ...labels, status: String(status) }, seconds);
    },
    present: async () => ({ type: registry.contentType, body: await registry.metrics() }),
  };
}
