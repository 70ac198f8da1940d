import { SeedRefusal } from "./seed-refusal.ts";

/** What to load. */
export type SeedOrder = {
  /** Decides every name, number and amount; each seed is loaded once. */
  readonly seed: string;
  readonly transactions: number;
  readonly accounts: number;
  /** Transactions of the largest account. */
  readonly largest: number;
  /** Username of the demo PSU who gets the largest account. */
  readonly psu: string;
};

/** Options as on the command line. */
export type SeedOptions = {
  readonly transactions: string;
  readonly accounts?: string;
  readonly largest?: string;
  readonly psu: string;
  readonly seed: string;
};

const MOST_TRANSACTIONS = 1_000_000_000;
const TRANSACTIONS_PER_ACCOUNT = 10_000;
const MOST_ACCOUNTS = 100_000;

/** Reads the options; refuses with `usage`. Defaults depend on the number of transactions. */
export function readSeedOrder({ seed, psu, ...options }: SeedOptions): SeedOrder {
  const transactions = wholeNumber("transactions", options.transactions, MOST_TRANSACTIONS);
  const likely = Math.min(MOST_ACCOUNTS, Math.ceil(transactions / TRANSACTIONS_PER_ACCOUNT));
  const accounts = wholeNumber("accounts", options.accounts ?? String(likely), MOST_ACCOUNTS);
  const tenth = Math.ceil(transactions / (accounts === 1 ? 1 : 10));
  // The others have at least one each; too many accounts for the transactions are refused below.
  const most = Math.max(1, Math.min(tenth, transactions - accounts + 1));
  const largest = wholeNumber("largest", options.largest ?? String(most), transactions);
  if (transactions < accounts)
    throw new SeedRefusal(
      "usage",
      "every account needs at least one transaction: raise --transactions or lower --accounts",
    );
  if (largest + accounts - 1 > transactions)
    throw new SeedRefusal("usage", "--largest leaves too few transactions for the other accounts");
  if (accounts === 1 && largest !== transactions)
    throw new SeedRefusal("usage", "the only account is the largest, with all transactions");
  // The seed is part of the ids of the bank's own accounts.
  if (!/^[\w-]{1,40}$/.test(seed))
    throw new SeedRefusal(
      "usage",
      "--seed must be a name of up to 40 letters, digits, dashes and underscores",
    );
  return { seed, psu, transactions, accounts, largest };
}

function wholeNumber(name: string, text: string, most: number): number {
  const digits = text.replaceAll("_", "");
  const value = Number(digits);
  if (/^\d{1,10}$/.test(digits) && value >= 1 && value <= most) return value;
  throw new SeedRefusal("usage", `--${name} must be a whole number from 1 to ${most}`);
}
