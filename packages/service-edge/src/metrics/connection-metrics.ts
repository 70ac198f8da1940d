import { Counter, Gauge } from "prom-client";
import type { ProcessMetrics } from "./process-metrics.ts";

/** What a listener tells of its connections; those that were refused are not open. */
export interface ConnectionCount {
  opened(): void;
  closed(): void;
  refused(): void;
}

/** Names a listener to those who count its connections. */
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
    help: "Connections that were closed as they came: as many as MAX_CONNECTIONS were open.",
  });
  return (listener) => {
    refused.inc({ listener }, 0);
    return {
      opened: () => open.inc({ listener }),
      closed: () => open.dec({ listener }),
      refused: () => refused.inc({ listener }),
    };
  };
}
