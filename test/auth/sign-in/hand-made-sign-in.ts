import { createSecretKey } from "node:crypto";
import type { Clock } from "@cobs/service-edge";
import { deriveFormKey, formToken } from "../../../packages/auth/src/forms/form-token.ts";
import type { PsuLogin } from "../../../packages/auth/src/psu/psu-login.ts";
import type { PsuSession } from "../../../packages/auth/src/psu-session/psu-session.ts";
import type { SignInParts } from "../../../packages/auth/src/sign-in/sign-in.ts";
import { SIGN_IN_COOKIE } from "../../../packages/auth/src/sign-in/sign-in-page.ts";
import type {
  SignInProgress,
  SignInProgresses,
} from "../../../packages/auth/src/sign-in/sign-in-progress.ts";
import { placeOf, type SignInPurpose } from "../../../packages/auth/src/sign-in/sign-in-purpose.ts";

export const formKey = deriveFormKey(createSecretKey(Buffer.alloc(32, 7)));

/** When every step expires. */
export const END_OF_STEPS = new Date("2026-07-31T12:10:00Z");

/** Sign-ins kept in memory, with their outcomes. */
export interface HandMadeSignIn extends SignInParts {
  readonly kept: ReadonlyMap<string, SignInProgress>;
  readonly begun: readonly PsuSession[];
}

/** Sign-ins of plain values; their steps have the ids `step-1`, `step-2`, and so on. */
export function handMadeSignIn(given: { readonly login: PsuLogin; readonly clock: Clock }): HandMadeSignIn {
  const kept = new Map<string, SignInProgress>();
  const begun: PsuSession[] = [];
  let steps = 0;
  const progresses: SignInProgresses = {
    keep: async (step) => {
      steps += 1;
      const progress = { id: `step-${steps}`, ...step, endsAt: END_OF_STEPS };
      kept.set(progress.id, progress);
      return progress;
    },
    find: async (id, { purpose }) => {
      const progress = kept.get(id ?? "");
      return progress !== undefined && placeOf(progress.purpose) === placeOf(purpose) ? progress : undefined;
    },
    take: async ({ id }) => kept.delete(id),
  };
  return {
    ...given,
    progresses,
    sessions: {
      find: async () => undefined,
      begin: async (_call, session) => {
        const number = begun.push(session);
        return { cookies: [`session=${number}`], signIn: `sign-in-${number}` };
      },
      end: async () => ({ cookies: ["session="] }),
      endOthers: async ({ id }) => ({ id, cookies: [] }),
      countsElsewhere: async () => false,
      counts: async () => true,
      use: async () => true,
    },
    formKey,
    kept,
    begun,
  };
}

/** A browser's cookie for a step. */
export function stepCookie(id: string): string {
  return `${SIGN_IN_COOKIE}=${id}`;
}

/** The token of the form of a step. */
export function stepToken(purpose: SignInPurpose, id: string): string {
  return formToken(formKey, [placeOf(purpose), "sign-in", id]);
}
