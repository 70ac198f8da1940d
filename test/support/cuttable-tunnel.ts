import { connect, createServer, type Server, type Socket } from "node:net";
import { freePort } from "./free-port.ts";

/** A TCP tunnel that a test can cut, as if the other side had gone, and mend. */
export interface CuttableTunnel {
  readonly port: number;
  cut(): Promise<void>;
  mend(): Promise<void>;
  /** Breaks the present connections; new ones get through. */
  drop(): void;
  /** From now on connections stay open, and nothing passes through them. */
  stall(): void;
  /** New connections work normally again. */
  flow(): void;
  /** Leads new connections to another port of loopback; present ones stay. */
  lead(target: number): void;
}

/** Stands in where no tunnel was requested; throws if a test tries to cut it. */
export function noTunnel(port: number): CuttableTunnel {
  const refuse = () => {
    throw new TypeError("start the server with `tunnelled`");
  };
  return { port, cut: refuse, mend: refuse, drop: refuse, stall: refuse, flow: refuse, lead: refuse };
}

/** Opens a tunnel from a free port of loopback to another; `hear` makes a listener for what each connection sends. */
export async function openTunnel(
  firstTarget: number,
  hear?: () => (chunk: Buffer) => void,
): Promise<CuttableTunnel> {
  const sockets = new Set<Socket>();
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.once("close", () => sockets.delete(socket));
    return socket;
  };
  let target = firstTarget;
  let stalled = false;
  const server: Server = createServer((near) => {
    if (stalled) return void keep(near);
    const far = keep(connect(target, "127.0.0.1"));
    keep(near).pipe(far).pipe(near);
    if (hear !== undefined) near.on("data", hear());
    near.once("close", () => far.destroy());
    far.once("close", () => near.destroy());
  });
  // A port from the system's ephemeral range could belong to another process by the time the tunnel is mended.
  const port = await freePort();
  const listen = () =>
    new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(port, "127.0.0.1", () => {
        server.off("error", reject);
        resolve();
      });
    });
  const drop = () => {
    for (const socket of sockets) socket.destroy();
  };
  await listen();
  return {
    port,
    cut: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      drop();
      await closed;
    },
    mend: listen,
    drop,
    stall: () => {
      stalled = true;
      for (const socket of sockets) socket.unpipe();
    },
    flow: () => {
      stalled = false;
    },
    lead: (next) => {
      target = next;
    },
  };
}
