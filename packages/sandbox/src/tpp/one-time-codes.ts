import { setTimeout as delay } from "node:timers/promises";
import { Secret, TOTP } from "otpauth";

/** A code of a PSU's authenticator app, and its time step. */
export interface OneTimeCode {
  readonly code: string;
  readonly step: number;
}

const STEP_MILLISECONDS = 30_000;
const STEPS_AHEAD = 1;

/**
 * Chooses the step of the next code, and how long to wait before. A code works once, and only after all earlier used ones. The
 * bank accepts one step ahead of its clock, so two sign-ins in a row need not wait.
 */
export function chooseStep(
  now: number,
  lastUsedStep: number,
): { readonly step: number; readonly waitMs: number } {
  const current = Math.floor(now / STEP_MILLISECONDS);
  const step = Math.max(current, lastUsedStep + 1);
  return { step, waitMs: waitFor(step, now) };
}

function waitFor(step: number, now: number): number {
  const acceptedFrom = (step - STEPS_AHEAD) * STEP_MILLISECONDS;
  return Math.max(0, acceptedFrom - now);
}

/** Makes the code of a step from a base32 secret (RFC 6238). */
export function oneTimeCode(totpSecret: string, step: number): OneTimeCode {
  const totp = new TOTP({ secret: Secret.fromBase32(totpSecret), period: STEP_MILLISECONDS / 1000 });
  return { code: totp.generate({ timestamp: step * STEP_MILLISECONDS }), step };
}

/** When a step ends, for people who type its code. */
export function endOfStep(step: number): Date {
  return new Date((step + 1) * STEP_MILLISECONDS);
}

/** The URI to set up an authenticator app, as text or as a QR code. */
export function otpauthUri(psu: { readonly username: string; readonly totpSecret: string }): string {
  const secret = Secret.fromBase32(psu.totpSecret);
  return new TOTP({ issuer: "COBS Sandbox", label: psu.username, secret }).toString();
}

/** Gives codes of one PSU, each only once, even to concurrent callers; says when it has to wait. */
export async function nextOneTimeCode(
  psu: { readonly username: string; readonly totpSecret: string },
  used: UsedSteps,
  say: (line: string) => void,
): Promise<OneTimeCode> {
  const step = await used.take(psu.username, (last) => chooseStep(Date.now(), last).step);
  const waitMs = waitFor(step, Date.now());
  if (waitMs > 0) {
    say(
      `the one-time codes of ${psu.username} are used up; waiting ${Math.ceil(waitMs / 1000)} s for the next`,
    );
    await delay(waitMs);
  }
  return oneTimeCode(psu.totpSecret, step);
}

/** The last used time step of each PSU, as far as known; -1 for none. */
export interface UsedSteps {
  last(username: string): Promise<number>;
  /** Chooses the next step by the last one, and stores it before another caller can choose. */
  take(username: string, choose: (last: number) => number): Promise<number>;
}
