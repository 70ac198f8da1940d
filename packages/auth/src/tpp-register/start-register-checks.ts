import { setTimeout as delay } from "node:timers/promises";
import { type Clock, isDatabaseUnavailable } from "@cobs/service-edge";
import { checkRegister, type RegisterCheckParts } from "./check-register.ts";
import { dayOf } from "./register-finding.ts";
import { RegisterRefusal } from "./register-refusal.ts";

const LOOK_MILLISECONDS = 60_000;

function reportFailure({ log, metrics }: RegisterCheckParts, error: unknown): void {
  if (error instanceof RegisterRefusal) {
    metrics.checked(error.code);
    log.warn(
      { refusal: error.code, detail: error.detail },
      "the TPP register was not checked, nobody is blocked for it",
    );
  } else if (!isDatabaseUnavailable(error)) log.error({ error }, "the TPP register could not be checked");
}

/** Looks once a minute, and at once, whether today's check is still to be made, until it is stopped. */
export function startRegisterChecks(parts: RegisterCheckParts & { readonly clock: Clock }): {
  stop(): Promise<void>;
} {
  const stopping = new AbortController();
  const { signal } = stopping;
  const look = async () => {
    const day = dayOf(parts.clock.now());
    if (await parts.store.takeDay(day)) await checkRegister(parts, day, signal);
  };
  async function run(): Promise<void> {
    while (!signal.aborted) {
      await look().catch((error: unknown) => signal.aborted || reportFailure(parts, error));
      await delay(LOOK_MILLISECONDS, undefined, { signal, ref: false }).catch(() => {});
    }
  }
  const running = run();
  return {
    stop: () => {
      stopping.abort();
      return running;
    },
  };
}
