import type { EphemeralStore } from "../ephemeral/ephemeral-store.ts";
import { PendingAuthorizationGone } from "../journey/pending-authorization.ts";
import { INTERACTION_SECONDS } from "./lifetimes.ts";

/** The PSU's answer to a consent page. */
export type ConsentAnswer = "given" | "declined";

/** The first answer that a PSU gave to an authorization, in any process. It counts from the moment it is taken. */
export interface FirstAnswers {
  /**
   * Takes an answer and runs `act`; the same answer may come again. Throws `PendingAuthorizationGone` when a different
   * one came first. Releases a first answer if `act` fails.
   */
  take<T>(authorization: string, answer: ConsentAnswer, act: () => Promise<T>): Promise<T>;
}

/** Keeps first answers in the store of the authorizations, for as long as one waits. */
export function createFirstAnswers(store: EphemeralStore<{ readonly answer: ConsentAnswer }>): FirstAnswers {
  return {
    async take(authorization, answer, act) {
      const key = { kind: "InteractionAnswer", id: authorization };
      const terms = { uid: undefined, lifetimeSeconds: INTERACTION_SECONDS };
      const isFirst = await store.putNew(key, { answer }, terms);
      if (!isFirst && (await store.find(key))?.answer !== answer) throw new PendingAuthorizationGone();
      try {
        return await act();
      } catch (error) {
        if (isFirst) await store.take(key).catch(() => undefined);
        throw error;
      }
    },
  };
}
