import { setTimeout as delay } from "node:timers/promises";
import { freePort, type PortState, portState } from "../postgres/free-port.ts";
import { PORT_NAMES, PORT_VARIABLES, type SandboxPorts } from "./env.ts";
import { SandboxRefusal } from "./sandbox-refusal.ts";

const RETRY_MILLISECONDS = 100;

/** Wanted ports; the sandbox does not open those in `unused`, so they need not be free. */
export interface WantedPorts {
  readonly ports: SandboxPorts;
  readonly unused: readonly (keyof SandboxPorts)[];
  /** How long to wait for ports that may become free. */
  readonly patienceMilliseconds: number;
}

/**
 * Replaces each 0 with a free port. Refuses with `port_taken`, naming every port that is in use or may not be opened, and its
 * variable.
 */
export async function choosePorts(wanted: WantedPorts, lookAt = portState): Promise<SandboxPorts> {
  const until = performance.now() + wanted.patienceMilliseconds;
  for (;;) {
    const obstacles = await obstaclesOf(wanted, lookAt);
    if (obstacles.length === 0) return fillPorts(wanted.ports);
    if (performance.now() > until) throw new SandboxRefusal("port_taken", describe(obstacles, wanted.ports));
    await delay(RETRY_MILLISECONDS);
  }
}

interface Obstacle {
  readonly name: keyof SandboxPorts;
  readonly state: PortState;
}

async function obstaclesOf(
  { ports, unused }: WantedPorts,
  lookAt: typeof portState,
): Promise<readonly Obstacle[]> {
  const opened = PORT_NAMES.filter((name) => ports[name] !== 0 && !unused.includes(name));
  const looked = await Promise.all(opened.map(async (name) => ({ name, state: await lookAt(ports[name]) })));
  return looked.filter(({ state }) => state !== "free");
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

function describe(obstacles: readonly Obstacle[], ports: SandboxPorts): string {
  const linesOf = (wanted: PortState, heading: string) => {
    const names = obstacles.filter(({ state }) => state === wanted).map(({ name }) => name);
    const lines = names.map((name) => `  port ${ports[name]} on 127.0.0.1 (${PORT_VARIABLES[name]})\n`);
    return lines.length === 0 ? "" : `${heading}:\n${lines.join("")}`;
  };
  const taken = linesOf("taken", "Taken by another process");
  const forbidden = linesOf("forbidden", "May not be opened by this user");
  const stop = taken === "" ? "Choose" : "Stop that process, or choose";
  return `${taken}${forbidden}${stop} another port${exampleOf(obstacles[0]?.name, ports)}.`;
}

function exampleOf(name: keyof SandboxPorts | undefined, ports: SandboxPorts): string {
  if (name === undefined) return "";
  return `, for example ${PORT_VARIABLES[name]}=${(ports[name] % 50_000) + 10_000} npm start`;
}
