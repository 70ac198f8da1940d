import { type Clock, isDatabaseUnavailable, type Repeat, type Repeated, repeat } from "@cobs/service-edge";
import { takeBack } from "./apply-policy.ts";
import { checkRegister, type RegisterCheckParts, reportChanges } from "./check-register.ts";
import { dayOf } from "./register-finding.ts";
import { RegisterRefusal } from "./register-refusal.ts";
import type { RegisterSettings } from "./register-settings.ts";

/** Parts that the daily checks need. */
export interface RegisterChecksParts extends Omit<RegisterCheckParts, "settings"> {
  /** Undefined when no TPP is looked up in the register. */
  readonly settings: RegisterSettings | undefined;
  readonly clock: Clock;
  readonly again?: Repeat;
}

const LOOK_MILLISECONDS = 60_000;

function reportFailure({ log, metrics }: RegisterChecksParts, error: unknown): number {
  if (error instanceof RegisterRefusal) {
    metrics.checked(error.code);
    log.warn(
      { refusal: error.code, detail: error.detail },
      "the TPP register file cannot be used; nobody was blocked or released",
    );
  } else if (!isDatabaseUnavailable(error)) log.error({ error }, "the TPP register could not be checked");
  return LOOK_MILLISECONDS;
}

async function look(parts: RegisterChecksParts, signal: AbortSignal): Promise<number> {
  const { settings, stopList, store, clock } = parts;
  // Not left to the next check: a TPP blocked by mistake can be released only by configuration.
  reportChanges(parts, await takeBack(stopList, settings));
  const day = dayOf(clock.now());
  if (settings !== undefined && (await store.takeDay(day)))
    await checkRegister({ ...parts, settings }, day, signal);
  return LOOK_MILLISECONDS;
}

/**
 * Job that looks at once, then every minute, until it is stopped: whether configuration now releases blocks of the register, and
 * whether today's check is still to do, or to do again for a TPP that has called for the first time since.
 */
export function startRegisterChecks(parts: RegisterChecksParts): Repeated {
  const { again = repeat } = parts;
  return again(
    (signal) => look(parts, signal),
    (error) => reportFailure(parts, error),
  );
}
