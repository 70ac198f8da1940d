/**
 * Connections that only occupy the server: some call once and stay idle; the others send a header or a body octet by octet, or
 * do not read their answers. A third is at the proxy, and a third at one process of each service, which must cope without a
 * proxy too. They come from separate processes, so that they do not slow down the ordinary callers.
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { Member, Topology } from "../start-topology.ts";

/** Numbers of connections. */
export interface Held {
  readonly idle: number;
  readonly slow: number;
}

/** Order to a process that holds connections. */
export interface HoldOrder extends Held {
  /** Port on loopback. */
  readonly port: number;
  /** File of the CA that certifies the server. */
  readonly ca: string;
  /** File of a certificate and its key, if the server requires one. */
  readonly identity?: string | undefined;
}

/** Connections that are held. */
export interface HeldConnections {
  /** Connections that the other side has not ended. */
  open(): Held;
  close(): Promise<void>;
}

const HOLDER = fileURLToPath(new URL("./connection-holder.ts", import.meta.url));

/** Opens all connections, and resolves when they are open. */
export async function holdConnections(topology: Topology, wanted: Held): Promise<HeldConnections> {
  const places = placesOf(topology);
  const shareOf = (count: number) => Math.ceil(count / places.length);
  const share = { idle: shareOf(wanted.idle), slow: shareOf(wanted.slow) };
  const { ca } = topology.document;
  const holders = await Promise.all(places.map((place) => startHolder({ ...share, ...place, ca })));
  return {
    open: () => ({ idle: sum(holders, "idle"), slow: sum(holders, "slow") }),
    close: async () => {
      const ended = Promise.all(holders.map(({ child }) => once(child, "exit")));
      for (const { child } of holders) child.disconnect();
      await ended;
    },
  };
}

function placesOf({
  document,
  members,
  proxyIdentity,
}: Topology): readonly Pick<HoldOrder, "port" | "identity">[] {
  const portOf = (service: Member["service"], listener: keyof Member["ports"]) =>
    members.find((member) => member.service === service)?.ports[listener] ?? 0;
  return [
    { port: Number(new URL(document.auth.mutualTls).port) },
    { port: portOf("auth", "browser") },
    // Behind a proxy this listener accepts only proxies.
    { port: portOf("resource", "mutualTls"), identity: proxyIdentity },
  ];
}

function sum(holders: readonly { readonly open: () => Held }[], kind: keyof Held): number {
  return holders.reduce((total, holder) => total + holder.open()[kind], 0);
}

async function startHolder(order: HoldOrder) {
  const child = fork(HOLDER, [], { execArgv: ["--conditions=source", "--import", "tsx"] });
  let now: Held = { idle: 0, slow: 0 };
  const opened = new Promise<void>((resolve, reject) => {
    child.on("message", ({ idle, slow, complete }: Held & { complete: boolean }) => {
      now = { idle, slow };
      if (complete) resolve();
    });
    child.once("exit", (code) => reject(new Error(`a holder of connections ended with ${code}`)));
  });
  child.send(order);
  await opened;
  return { child, open: () => now };
}
