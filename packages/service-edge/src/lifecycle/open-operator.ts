import type { EdgeConfiguration } from "../configuration/edge-configuration.ts";
import type { ProcessMetrics } from "../metrics/process-metrics.ts";
import { addReadinessMetrics } from "../metrics/readiness-metrics.ts";
import { openOperatorListener, type ReadinessCheck } from "../operator-listener.ts";
import type { ServiceProcess } from "./open-service.ts";

/**
 * The operator's side of a process: open before the process waits for anything, so that the operator can ask what is missing.
 */
export interface OperatorSide {
  readonly port: number;
  /** Called when the service has started; from then on its own readiness is asked. */
  began(readiness: ReadinessCheck): void;
}

/** Opens the operator's listener. A process that is stopping, or has not started, is not ready, whatever its checks say. */
export async function openOperator(
  edge: EdgeConfiguration,
  { lifecycle, supervisor }: ServiceProcess,
  { metrics, missing }: { readonly metrics: ProcessMetrics; readonly missing: ReadinessCheck },
): Promise<OperatorSide> {
  let current: ReadinessCheck = async () => ({ started: false, ...(await missing()) });
  const readiness = async () => ({ running: lifecycle.running, ...(await current()) });
  addReadinessMetrics(metrics, lifecycle, () => current());
  const began = (own: ReadinessCheck) => {
    current = own;
  };
  if (supervisor !== undefined) {
    supervisor.answer({ readiness, metrics: () => metrics.registry.getMetricsAsJSON() });
    return { port: edge.operatorPort, began };
  }
  const options = { host: edge.operatorHost, port: edge.operatorPort, readiness, metrics };
  const listener = await openOperatorListener(options);
  lifecycle.onStop("operator listener", () => listener.close(edge.drainLimitSeconds * 1000));
  return { port: listener.port, began };
}
