import { createServer, type ServerResponse } from "node:http";
import type { ProcessMetrics } from "./metrics/process-metrics.ts";
import { type Listener, listen } from "./tls/tls-listener.ts";

/** Asks each dependency by name whether it answers, for `/readyz`. */
export type ReadinessCheck = () => Promise<Readonly<Record<string, boolean>>>;

function write(response: ServerResponse, status: number, type: string, body: string): void {
  response.writeHead(status, { "Content-Type": type, "Cache-Control": "no-store" }).end(body);
}

async function answerReadiness(response: ServerResponse, readiness: ReadinessCheck): Promise<void> {
  const checks = await readiness();
  const ready = Object.values(checks).every(Boolean);
  write(response, ready ? 200 : 503, "application/json", JSON.stringify({ ready, checks }));
}

/**
 * Opens a listener for the operator and the orchestrator: `/livez`, `/readyz`, `/metrics`. It is plain http, on loopback by
 * default.
 */
export function openOperatorListener(options: {
  readonly host?: string;
  readonly port: number;
  readonly readiness: ReadinessCheck;
  readonly metrics: Pick<ProcessMetrics, "present">;
}): Promise<Listener> {
  const server = createServer(async (request, response) => {
    try {
      if (request.method !== "GET" && request.method !== "HEAD") {
        response.setHeader("Allow", "GET, HEAD");
        return write(response, 405, "text/plain", "only GET and HEAD\n");
      }
      if (request.url === "/livez") return write(response, 200, "text/plain", "alive\n");
      if (request.url === "/readyz") return await answerReadiness(response, options.readiness);
      if (request.url !== "/metrics")
        return write(response, 404, "text/plain", "/livez, /readyz or /metrics\n");
      const { type, body } = await options.metrics.present();
      write(response, 200, type, body);
    } catch {
      write(response, 500, "text/plain", "failed\n");
    }
  });
  const { host = "127.0.0.1", port } = options;
  return listen(server, { name: "operator", host, port, hostVariable: "OPERATOR_HOST" });
}
