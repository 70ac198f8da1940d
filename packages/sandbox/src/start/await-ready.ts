import { get } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { SandboxRefusal } from "./sandbox-refusal.ts";
import { logTail } from "./service-log.ts";
import type { ServiceName } from "./service-program.ts";
import type { StartedService } from "./start-service.ts";

/** A service to wait for. */
export interface AwaitedService {
  readonly name: ServiceName;
  readonly operatorPort: number;
  readonly logFile: string;
  readonly running: StartedService;
}

const LIMIT_MILLISECONDS = 45_000;
const POLL_MILLISECONDS = 25;
const ANSWER_LIMIT_MILLISECONDS = 3_000;

/**
 * Waits until `/readyz` answers 200. Refuses with `service_ended`, and the end of what the service has logged since its start,
 * if it ends or takes too long.
 */
export async function awaitReady(service: AwaitedService): Promise<void> {
  const until = performance.now() + LIMIT_MILLISECONDS;
  let end: string | undefined;
  void service.running.ended.then((how) => {
    end = how;
  });
  while (!(await isReady(service.operatorPort))) {
    if (end !== undefined) throw notReady(service, `ended (${end}) before it was ready`);
    if (performance.now() > until)
      throw notReady(service, `was not ready within ${LIMIT_MILLISECONDS / 1000} s`);
    await delay(POLL_MILLISECONDS);
  }
}

/** Whether a service answers at `/readyz` that it is ready. */
export function isReady(operatorPort: number): Promise<boolean> {
  return new Promise((resolve) => {
    const options = {
      // Ignores the proxy of NODE_USE_ENV_PROXY and HTTP_PROXY.
      agent: false,
      host: "127.0.0.1",
      port: operatorPort,
      path: "/readyz",
      timeout: ANSWER_LIMIT_MILLISECONDS,
    } as const;
    const asked = get(options, (answer) => {
      answer.resume();
      resolve(answer.statusCode === 200);
    });
    asked.on("timeout", () => asked.destroy());
    asked.on("error", () => resolve(false));
  });
}

function notReady({ name, logFile, running }: AwaitedService, what: string): SandboxRefusal {
  const said = logTail(logFile, running.logStart);
  return new SandboxRefusal("service_ended", `${name} ${what}. The end of ${logFile}:\n${said}`);
}
