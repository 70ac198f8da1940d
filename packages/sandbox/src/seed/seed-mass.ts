import type { PsuId } from "@cobs/cobs-model";
import { bringIn, type Place } from "./bring-in-postgres.ts";
import { type MassAccount, openMassAccount, openMassAccounts } from "./mass-accounts.ts";
import { makeMassHistory } from "./mass-history.ts";
import type { Progress } from "./progress.ts";
import type { SeedOrder } from "./seed-order.ts";

/** Where the data goes, for which PSU, and how to stop. */
export type SeedSurroundings = {
  readonly place: Place;
  readonly psu: PsuId;
  readonly asOf: Date;
  readonly progress: Progress;
  readonly interrupted: AbortSignal;
};

/** An account, for programs that read from it later. */
export type SeededAccount = {
  readonly id: string;
  readonly currency: string;
  readonly transactions: number;
};

/** The outcome; `isNew` is false if everything was already there. */
export type SeedResult = {
  /** Name in the database. */
  readonly name: string;
  readonly seed: string;
  readonly isNew: boolean;
  readonly transactions: number;
  readonly accounts: number;
  readonly psu: string;
  readonly largest: SeededAccount | null;
  readonly median: SeededAccount | null;
  readonly smallest: SeededAccount | null;
};

/** Carries out an order. Refuses as `bringIn` does, leaving nothing behind. */
export async function seedMass(order: SeedOrder, surroundings: SeedSurroundings): Promise<SeedResult> {
  const { place, psu, asOf, progress, interrupted } = surroundings;
  const name = `mass ${order.seed}`;
  const accounts = openMassAccounts(order);
  const { lines, ledger } = makeMassHistory(accounts, order.seed, asOf);
  const history = {
    name,
    accounts: accounts.map(({ account }) => account),
    access: accounts.slice(0, 1).map(({ id }) => ({ psu, account: id })),
    lines: counted(lines, progress),
    ledger,
    counts: accounts.map(({ id, transactions }) => ({ id, transactions })),
    oneMore: openMassAccount(order.seed, accounts.length, 0).id,
  };
  const isNew = await bringIn(place, history, { interrupted, waits: progress.waits }).finally(() =>
    progress.ended(),
  );
  const bySize = accounts.toSorted((one, other) => other.transactions - one.transactions);
  return {
    name,
    seed: order.seed,
    isNew,
    transactions: order.transactions,
    accounts: accounts.length,
    psu: order.psu,
    largest: describeAccount(bySize[0]),
    median: describeAccount(bySize[Math.floor(bySize.length / 2)]),
    smallest: describeAccount(bySize.at(-1)),
  };
}

/** Lines between two looks at the clock. */
const LINES_PER_LOOK = 1_000;

function* counted(lines: Iterable<string>, progress: Progress): Generator<string> {
  let done = 0;
  for (const line of lines) {
    done += 1;
    if (done % LINES_PER_LOOK === 0) progress.reached(done);
    yield line;
  }
}

function describeAccount(account: MassAccount | undefined): SeededAccount | null {
  if (account === undefined) return null;
  const { id, currency, transactions } = account;
  return { id, currency, transactions };
}
