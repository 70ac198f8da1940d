import { setTimeout as delay } from "node:timers/promises";
import { freePort, isPortFree } from "../postgres/free-port.ts";
import { PORT_NAMES, PORT_VARIABLES, type SandboxPorts } from "./env.ts";
import { SandboxRefusal } from "./sandbox-refusal.ts";

const RETRY_MILLISECONDS = 100;

/** Which ports are wanted; what is in `unused` is not opened by the sandbox and need not be free. */
export interface WantedPorts {
  readonly ports: SandboxPorts;
  readonly unused: readonly (keyof SandboxPorts)[];
  /** How long to wait for ports that may be about to become free. */
  readonly patienceMilliseconds: number;
}

/** Puts free ports where 0 was wanted. Refuses with `port_taken`, naming every port in use and its variable. */
export async function choosePorts(wanted: WantedPorts): Promise<SandboxPorts> {
  const until = performance.now() + wanted.patienceMilliseconds;
  for (;;) {
    const taken = await takenPorts(wanted);
    if (taken.length === 0) return fillPorts(wanted.ports);
    if (performance.now() > until) throw new SandboxRefusal("port_taken", describe(taken, wanted.ports));
    await delay(RETRY_MILLISECONDS);
  }
}

async function takenPorts({ ports, unused }: WantedPorts): Promise<readonly (keyof SandboxPorts)[]> {
  const opened = PORT_NAMES.filter((name) => ports[name] !== 0 && !unused.includes(name));
  const free = await Promise.all(opened.map((name) => isPortFree(ports[name])));
  return opened.filter((_, index) => !free[index]);
}

async function fillPorts(ports: SandboxPorts): Promise<SandboxPorts> {
  const chosen = { ...ports };
  for (const name of PORT_NAMES) {
    while (chosen[name] === 0) {
      const port = await freePort();
      if (!Object.values(chosen).includes(port)) chosen[name] = port;
    }
  }
  return chosen;
}

function describe(taken: readonly (keyof SandboxPorts)[], ports: SandboxPorts): string {
  const lines = taken.map((name) => `  port ${ports[name]} on 127.0.0.1 (${PORT_VARIABLES[name]})`);
  const [first] = taken;
  const example =
    first === undefined
      ? ""
      : `, for example ${PORT_VARIABLES[first]}=${(ports[first] % 50_000) + 10_000} npm start`;
  return `Taken by another process:\n${lines.join("\n")}\nStop that process, or choose another port${example}.`;
}
