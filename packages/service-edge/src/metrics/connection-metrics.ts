import { Counter, Gauge } from "prom-client";
import type { ProcessMetrics } from "./process-metrics.ts";

/** Counts the connections of a listener; refused ones do not count as open. */
export interface ConnectionCount {
  opened(): void;
  closed(): void;
  refused(): void;
  /** Counts a failed handshake, unless the caller broke it off. */
  handshakeFailed(): void;
  /** Counts an answer (400, 408 or 431) to bytes that are not an HTTP request. */
  protocolError(status: number): void;
}

const PROTOCOL_ERRORS = [400, 408, 431];

/** Returns the counter of a listener's connections. */
export type CountConnections = (listener: string) => ConnectionCount;

/** Registers the metrics of connections; once per process. */
export function createConnectionMetrics({ registry }: Pick<ProcessMetrics, "registry">): CountConnections {
  const shape = { labelNames: ["listener"] as const, registers: [registry] };
  const open = new Gauge({
    ...shape,
    name: "tls_connections",
    help: "Open connections of a listener, in their handshake or after it.",
  });
  const refused = new Counter({
    ...shape,
    name: "tls_connections_refused_total",
    help: "Connections closed on arrival, because MAX_CONNECTIONS, or as many as its open files allow, were already open.",
  });
  const failed = new Counter({
    ...shape,
    name: "tls_handshakes_failed_total",
    help: "Handshakes that failed or took too long, except those that the caller broke off.",
  });
  const protocolErrors = new Counter({
    ...shape,
    labelNames: ["listener", "status"] as const,
    name: "http_protocol_errors_total",
    help: "Answers to input that is not an HTTP request, or was not complete in time; if a call had begun, http_requests_total counts it too.",
  });
  return (listener) => {
    for (const counter of [refused, failed]) counter.inc({ listener }, 0);
    for (const status of PROTOCOL_ERRORS) protocolErrors.inc({ listener, status: String(status) }, 0);
    return {
      opened: () => open.inc({ listener }),
      closed: () => open.dec({ listener }),
      refused: () => refused.inc({ listener }),
      handshakeFailed: () => failed.inc({ listener }),
      protocolError: (status) => protocolErrors.inc({ listener, status: String(status) }),
    };
  };
}
