/** A process with one https server, whose CPU time is measured; the load comes from another process. */
import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { createServer } from "node:https";
import { TLS_SETTINGS } from "@cobs/service-edge";
import { answerParent } from "./bench-child.ts";
import type { BenchMaterial } from "./bench-material.ts";
import { prepareWay, type WayName } from "./ways.ts";

/**
 * Orders to a server process: first how to listen, then any number of times to report the microseconds of CPU time it has used.
 */
export type ServerOrder =
  | { readonly kind: "listen"; readonly way: WayName; readonly material: BenchMaterial }
  | { readonly kind: "usage" };

const ANSWER = "ok";

/** Starts listening and returns the port. */
async function listen(name: WayName, material: BenchMaterial): Promise<number> {
  const way = await prepareWay(name, material);
  const { certificate: cert, key } = material.server;
  const settings = {
    ...TLS_SETTINGS,
    requestCert: true,
    rejectUnauthorized: false,
    ca: [...material.authorities],
  };
  const server = createServer({ ...settings, cert, key }, (request, response) => {
    const done = way(request);
    if (done === undefined) return answer(response);
    done.then(
      () => answer(response),
      (error) => response.writeHead(500).end(String(error)),
    );
  });
  // Connections stay idle while the other servers are measured.
  server.keepAliveTimeout = 0;
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}

function answer(response: ServerResponse): void {
  response.setHeader("Content-Length", ANSWER.length).end(ANSWER);
}

answerParent(async (order: ServerOrder) => {
  if (order.kind === "listen") return listen(order.way, order.material);
  const { user, system } = process.cpuUsage();
  return user + system;
});
