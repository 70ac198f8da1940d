import type { Clock } from "@cobs/service-edge";
import { CircuitState, type IBreaker } from "cockatiel";

/** How many failing parties are too many. */
export interface PartyTerms {
  /** Least number of parties to judge by. */
  readonly leastParties: number;
  /** Share of them that may fail, from 0 to 1. */
  readonly mayFail: number;
  /** How long the outcome of a party's last call counts. */
  readonly lastingMilliseconds: number;
}

/** Judges by parties: however often one fails, it is one failure. */
export interface PartyBreaker extends IBreaker {
  /** Takes the outcome of a call, before the library asks for the judgement. A call of nobody is a party of its own. */
  note(outcome: { readonly party: string | undefined; readonly failed: boolean }): void;
  /** Whether the party's last call failed, and still counts. */
  isFailing(party: string): boolean;
}

/** The parties that were asked about longest ago are not judged by. */
const MOST_PARTIES = 1_000;

/** Creates a breaker that knows of no party. */
export function createPartyBreaker(
  { leastParties, mayFail, lastingMilliseconds }: PartyTerms,
  clock: Pick<Clock, "monotonicMilliseconds">,
): PartyBreaker {
  /** How the last call of each ended; the latest is last. */
  const ends = new Map<string | symbol, { readonly at: number; readonly failed: boolean }>();

  function forgetOld(): void {
    const now = clock.monotonicMilliseconds();
    for (const [party, { at }] of ends) {
      if (now - at < lastingMilliseconds && ends.size <= MOST_PARTIES) return;
      ends.delete(party);
    }
  }

  function tooManyFail(): boolean {
    forgetOld();
    const failing = [...ends.values()].filter(({ failed }) => failed).length;
    return ends.size >= leastParties && failing > mayFail * ends.size;
  }

  return {
    // The library sets it for a circuit restored from elsewhere; outcomes from there are not taken over.
    state: undefined,
    note: ({ party = Symbol("nobody"), failed }) => {
      ends.delete(party);
      ends.set(party, { at: clock.monotonicMilliseconds(), failed });
      forgetOld();
    },
    isFailing: (party) => {
      forgetOld();
      return ends.get(party)?.failed === true;
    },
    success: (state) => {
      if (state === CircuitState.HalfOpen) ends.clear();
    },
    failure: (state) => state !== CircuitState.Closed || tooManyFail(),
  };
}
