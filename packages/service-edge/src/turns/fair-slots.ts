import { awaitTurn, type Turn } from "./await-turn.ts";
import type { SlotTerms } from "./slots.ts";

/** How many tasks may run and wait at once, of all parties together. */
export type FairSlotTerms = Required<Omit<SlotTerms, "failsAll">>;

/** Limits the number of tasks that run at once, and shares the turns among the parties who ask. */
export interface FairSlots {
  /** Runs a task of a party in its turn. Refuses at once if too many wait already, or later if its turn does not come. */
  run<T>(party: string, task: () => Promise<T>): Promise<T>;
  waiting(): number;
}

/** The tasks of one party. */
interface Party {
  underWay: number;
  readonly line: Set<Turn>;
}

/**
 * A party may take a further place only while it has less than this many times as many as are free. One party alone thus
 * takes three quarters of the places, two take three sevenths each, and the next to come finds one free.
 */
const PLACES_PER_FREE_PLACE = 3;

/**
 * Makes slots whose turns go round among the waiting parties, and in the order of asking within a party. Places to run and to
 * wait are shared so that some are left to others; a single place may be taken by anyone. Nothing is kept of a party without
 * tasks.
 */
export function createFairSlots(terms: FairSlotTerms): FairSlots {
  const { atOnce, mostWaiting, waitMilliseconds, refuse } = terms;
  const parties = new Map<string, Party>();
  /** The parties that wait, from the next to the last. */
  const round = new Set<Party>();
  let underWay = 0;
  let waiting = 0;

  const mayRun = (party: Party) => leavesRoom(party.underWay, atOnce - underWay);

  function enter(name: string): Party {
    const party = parties.get(name) ?? { underWay: 0, line: new Set() };
    parties.set(name, party);
    return party;
  }

  function leave(name: string, party: Party): void {
    if (party.line.size > 0) return;
    round.delete(party);
    if (party.underWay === 0 && parties.get(name) === party) parties.delete(name);
  }

  function take(party: Party): void {
    party.underWay += 1;
    underWay += 1;
  }

  async function waitForSlot(party: Party): Promise<void> {
    if (!leavesRoom(party.line.size, mostWaiting - waiting)) throw refuse(`${waiting} are already waiting`);
    round.add(party);
    waiting += 1;
    const late = () => refuse(`no free slot within ${waitMilliseconds} ms`);
    await awaitTurn(party.line, waitMilliseconds, late).finally(() => {
      waiting -= 1;
    });
  }

  /** Gives a free place to the next party that may have it, which then goes to the end of the round. */
  function beginNext(): boolean {
    for (const party of round) {
      const [turn] = party.line;
      if (turn !== undefined && !mayRun(party)) continue;
      round.delete(party);
      if (turn === undefined) continue;
      take(party);
      turn.begin();
      if (party.line.size > 0) round.add(party);
      return true;
    }
    return false;
  }

  function giveBack(party: Party): void {
    party.underWay -= 1;
    underWay -= 1;
    while (beginNext());
  }

  async function runIn<T>(party: Party, task: () => Promise<T>): Promise<T> {
    if (mayRun(party)) take(party);
    else await waitForSlot(party);
    try {
      return await task();
    } finally {
      giveBack(party);
    }
  }

  async function run<T>(name: string, task: () => Promise<T>): Promise<T> {
    const party = enter(name);
    try {
      return await runIn(party, task);
    } finally {
      leave(name, party);
    }
  }

  return { run, waiting: () => waiting };
}

function leavesRoom(held: number, free: number): boolean {
  return held < PLACES_PER_FREE_PLACE * free;
}
