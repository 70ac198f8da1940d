/** The callers' process. */
import { once } from "node:events";
import { connect, type TLSSocket } from "node:tls";
import { answerParent } from "./bench-child.ts";
import type { BenchMaterial } from "./bench-material.ts";

/** A number of requests, each on its own connection or all on a few that stay open. */
export interface LoadOrder {
  readonly kind: "keep-alive" | "new-connections";
  readonly port: number;
  readonly requests: number;
  readonly material: BenchMaterial;
}

const REQUEST = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";
const GOOD = "HTTP/1.1 200 ";
const AT_ONCE = { "keep-alive": 16, "new-connections": 4 } as const;

async function open({ port, material }: LoadOrder): Promise<TLSSocket> {
  const { certificate: cert, key } = material.tpp;
  const { serverAuthority: ca } = material;
  const socket = connect({
    port,
    host: "127.0.0.1",
    servername: "localhost",
    minVersion: "TLSv1.3",
    ca,
    cert,
    key,
  });
  socket.setNoDelay(true);
  await once(socket, "secureConnect");
  return socket;
}

/** Sends one request; the small answers of the bench arrive in one piece. */
async function ask(socket: TLSSocket): Promise<void> {
  socket.write(REQUEST);
  const [answer] = await once(socket, "data");
  if (!String(answer).startsWith(GOOD)) throw new Error(`unexpected answer: ${answer}`);
}

/** Connections that stay open, by port, so that requests are measured on them and not handshakes. */
const kept = new Map<number, readonly TLSSocket[]>();

async function keepOpen(order: LoadOrder): Promise<readonly TLSSocket[]> {
  const connections = kept.get(order.port) ?? (await inParallel("keep-alive", () => open(order)));
  kept.set(order.port, connections);
  return connections;
}

function inParallel<T>(kind: LoadOrder["kind"], act: () => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: AT_ONCE[kind] }, act));
}

const loads: Readonly<
  Record<LoadOrder["kind"], (order: LoadOrder, next: () => boolean) => Promise<unknown>>
> = {
  "keep-alive": async (order, next) => {
    const askWhileNext = async (socket: TLSSocket) => {
      while (next()) await ask(socket);
    };
    await Promise.all((await keepOpen(order)).map(askWhileNext));
  },
  "new-connections": (order, next) =>
    inParallel("new-connections", async () => {
      while (next()) {
        const socket = await open(order);
        await ask(socket);
        socket.destroy();
      }
    }),
};

answerParent(async (order: LoadOrder) => {
  let left = order.requests;
  await loads[order.kind](order, () => left-- > 0);
  return order.requests;
});
