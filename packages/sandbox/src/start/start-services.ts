import { awaitReady } from "./await-ready.ts";
import { type KeptProcess, keepRunning } from "./keep-running.ts";
import {
  authEnvironment,
  resourceEnvironment,
  type ServiceEnvironment,
  type ServiceSurroundings,
} from "./service-environment.ts";
import { type ServiceName, serviceCommand } from "./service-program.ts";
import { startService } from "./start-service.ts";
import type { StopOrder } from "./stop-order.ts";

/** What both services need to start. */
export interface ServicesStart {
  readonly surroundings: ServiceSurroundings;
  /** The part of our environment that a service needs to run at all, such as `PATH`. */
  readonly inherited: ServiceEnvironment;
  readonly stopOrder: StopOrder;
  readonly say: (line: string) => void;
}

/** The two services as processes. */
export interface StartedServices {
  /** Waits until both are ready; refuses with `service_ended`. */
  ready(): Promise<void>;
  /** Restarts services that end from now on. */
  keep(onRestart: () => Promise<void>): Promise<Readonly<Record<ServiceName, KeptProcess>>>;
}

/** Starts both services at once; they wait for their databases by themselves. */
export async function startServices(start: ServicesStart): Promise<StartedServices> {
  const { surroundings, stopOrder, say } = start;
  const { ports, layout } = surroundings;
  const environments = { auth: authEnvironment(surroundings), resource: resourceEnvironment(surroundings) };
  const run = (name: ServiceName) =>
    startService({
      command: serviceCommand(name),
      environment: { ...start.inherited, ...environments[name] },
      logFile: layout.logs[name],
    });
  const running = { auth: run("auth"), resource: run("resource") };
  await stopOrder.add(running.auth, running.resource);

  const ready = async (name: ServiceName, operatorPort: number) => {
    await awaitReady({ name, operatorPort, logFile: layout.logs[name], running: running[name] });
    say(`${name} is ready (pid ${running[name].pid})`);
  };
  const keep = (name: ServiceName, onRestart: () => Promise<void>) =>
    keepRunning({ name, say, onRestart, restart: async () => run(name) }, running[name]);
  return {
    ready: async () => {
      await Promise.all([ready("auth", ports.authOperator), ready("resource", ports.resourceOperator)]);
    },
    keep: async (onRestart) => {
      const kept = { auth: keep("auth", onRestart), resource: keep("resource", onRestart) };
      await stopOrder.add(kept.auth, kept.resource);
      return kept;
    },
  };
}
