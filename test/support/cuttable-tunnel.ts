import { connect, createServer, type Server, type Socket } from "node:net";
import { freePort } from "./free-port.ts";

/** A TCP connection to somewhere that a test can cut, as if the other side had gone, and mend. */
export interface CuttableTunnel {
  readonly port: number;
  cut(): Promise<void>;
  mend(): Promise<void>;
  /** Breaks the connections that are there; the next ones come through. */
  drop(): void;
  /** From now on connections stay, and nothing comes through them. */
  stall(): void;
  /** Connections that are made from now on are as usual again. */
  flow(): void;
  /** Connections that are made from now on lead to another port of loopback; those that are there stay. */
  lead(target: number): void;
}

/** In the place of a tunnel where none was asked for: what is to be cut has to say so before. */
export function noTunnel(port: number): CuttableTunnel {
  const refuse = () => {
    throw new TypeError("start the server with `tunnelled`");
  };
  return { port, cut: refuse, mend: refuse, drop: refuse, stall: refuse, flow: refuse, lead: refuse };
}

/** Opens a tunnel on a free port of loopback to another port of loopback; `hear` is told what each connection says there. */
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
  // One that systems give to anybody could be somebody else's when the tunnel is mended.
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
