/**
 * Whether an amount is available on an account: yes or no, and no figure (COBS 3.2.3, 3.3.3). This folder owns which accounts
 * the bank is asked about, that no identification is used twice, and that a search for the balance is slow. It does not own
 * how the question is read (`@cobs/cobs-model`) nor who may call (`admission`).
 */
import {
  type AccountId,
  type BalanceCheck,
  type CobsErrorCode,
  ContentRefusal,
  type Fault,
  findAt,
  findIban,
  type Iban,
  type PsuId,
  readBalanceCheck,
} from "@cobs/cobs-model";
import type { OrganisationIdentifier } from "@cobs/psd2-certificates";
import type { FUNDS_FAULTS } from "../bank/order-faults.ts";
import type { FundsAnswer, OrderBank } from "../bank/orders.ts";
import { LimitRefusal } from "../limits/limit-refusal.ts";
import type {
  BalanceCheckLimits,
  BalanceCheckStore,
  NewBalanceCheck,
  TakenBalanceCheck,
} from "./balance-check-store.ts";

/** Dependencies of answering questions. */
export interface BalanceCheckParts {
  readonly bank: Pick<OrderBank, "hasFunds">;
  readonly store: BalanceCheckStore;
  readonly limits: BalanceCheckLimits;
}

/** A question as it was sent, and the faults of the call outside the body. */
export interface BalanceCheckInput {
  readonly organisationIdentifier: OrganisationIdentifier;
  readonly body: unknown;
  readonly faults: readonly Fault[];
}

/** A PSU who has agreed, and the accounts with one IBAN that the agreement covers: at least one. */
export interface CheckedHolder {
  readonly psu: PsuId;
  readonly accounts: readonly [AccountId, ...AccountId[]];
}

/**
 * Finds who has agreed that the caller asks about an account with this IBAN; empty when nobody has, or there is no such
 * account. May first refuse a caller that has asked too often about accounts without an agreement.
 */
export type FindHolders = (iban: Iban) => Promise<readonly CheckedHolder[]>;

/** An answer, with its question. */
export interface CheckedBalance {
  readonly check: BalanceCheck;
  readonly responseIdentification: bigint;
  readonly enough: boolean;
}

/**
 * Computes the limits. A shop may retry a payment, and then asks about the same amount. Each other amount may halve what is
 * unknown about a balance: ten leave a thousandth of it, and twenty a millionth. Fewer would refuse a person who often pays
 * by card. Even this many refuse an account with many cards, for which the bank allows more (PSD2 Article 65(1)).
 */
export function balanceCheckLimits(amountsPerHour: number): BalanceCheckLimits {
  return { perHour: 6 * amountsPerHour, amountsPerHour, amountsPerDay: 2 * amountsPerHour };
}

const NOT_AGREED: Fault = {
  code: "AG01",
  path: "debtorAccount.identification.iban",
  message: "there is no such account, or nobody has agreed that you may ask about it",
};
const REPEATED: Fault = {
  code: "RF01",
  path: "exchangeIdentification",
  message: "exchangeIdentification was used in the last 24 hours",
};

/** Table: where in the request each fault found by the bank lies. */
const PATHS: Readonly<Partial<Record<CobsErrorCode, string>>> = {
  AC02: "debtorAccount.identification.iban",
  AC09: "debtorAccount.currency",
  AC12: "debtorAccount.identification.iban",
  AM11: "transactionDetails.currency",
} satisfies Readonly<Record<keyof typeof FUNDS_FAULTS, string>>;

/**
 * Answers a question. Refuses, in this order: as `findHolders` does; with AG01 (403), alike for accounts that nobody has
 * agreed to and for accounts that do not exist; with all faults of the body and RF01 together; with `balance_check_limit`;
 * with what the bank finds: AC02, AC09, AC12 or AM11. A question that got no answer leaves its identification free.
 *
 * The bank is asked in the same way for every amount, and only about accounts that a holder has agreed to. What it compares
 * leaves it only as yes or no.
 */
export async function checkBalance(
  { bank, store, limits }: BalanceCheckParts,
  input: BalanceCheckInput,
  findHolders: FindHolders,
): Promise<CheckedBalance> {
  const read = readInput(input);
  const holders = read.iban === undefined ? [] : await requireAgreed(findHolders, read.iban); // those of findHolders, AG01
  const { check, asked } = await requireFaultless(store, read, holders); // all faults, RF01
  const responseIdentification = requireTaken(await store.take(asked, limits)); // RF01, balance_check_limit
  try {
    const { account, enough } = requireKnown(await askFor(bank, holders, check)); // AC02, AC09, AC12, AM11
    // Only the bank knows which account it is: the question is counted for that account before anybody learns the answer.
    if (account !== asked.account)
      requireTaken(await store.moveTo(responseIdentification, { ...asked, account }, limits)); // balance_check_limit
    // Before the TPP learns of it, so that a payer can be told of every answer (PSD2 Article 65(5)).
    await store.keepAnswer(responseIdentification, enough);
    return { check, responseIdentification, enough };
  } catch (error) {
    return giveBack(store, responseIdentification, error);
  }
}

/** Reads the question, and as much of a faulty one as decides what its sender is told. */
function readInput({ organisationIdentifier, body, faults }: BalanceCheckInput) {
  const { check, exchangeText, faults: wrong } = readBalanceCheck(body);
  const iban = findIban(findAt(body, "debtorAccount.identification.iban"));
  const id =
    exchangeText === undefined ? undefined : { organisationIdentifier, exchangeIdentification: exchangeText };
  return { check, id, iban, faultsOfCall: faults, faultsOfBody: wrong };
}

/** Refuses with every fault of the call and its body, and RF01 among them if the identification was used. */
async function requireFaultless(
  store: BalanceCheckStore,
  { check, id, faultsOfCall, faultsOfBody }: ReturnType<typeof readInput>,
  [first]: readonly CheckedHolder[],
): Promise<{ readonly check: BalanceCheck; readonly asked: NewBalanceCheck }> {
  if (check === undefined || id === undefined || first === undefined || faultsOfCall.length > 0) {
    const isRepeated = id !== undefined && (await store.isRepeated(id));
    throw new ContentRefusal([...faultsOfCall, ...faultsOfBody, ...(isRepeated ? [REPEATED] : [])]);
  }
  return { check, asked: { ...id, account: first.accounts[0], amount: check.amount } };
}

async function requireAgreed(findHolders: FindHolders, iban: Iban): Promise<readonly CheckedHolder[]> {
  const found = await findHolders(iban);
  if (found.length === 0) throw new ContentRefusal([NOT_AGREED]);
  return found;
}

/**
 * Asks the bank for one holder after the other: any holder's consent is enough. If a holder no longer has the account (AC02),
 * the bank is asked for the next one.
 */
async function askFor(
  bank: BalanceCheckParts["bank"],
  holders: readonly CheckedHolder[],
  { debtorAccount, amount }: BalanceCheck,
): Promise<FundsAnswer> {
  let answer: FundsAnswer | undefined;
  for (const { psu, accounts } of holders) {
    answer = await bank.hasFunds({ psu, accounts, ...debtorAccount, amount });
    if (answer.known || answer.fault.code !== "AC02") return answer;
  }
  if (answer === undefined) throw new TypeError("nobody has agreed");
  return answer;
}

function requireKnown(funds: FundsAnswer): Extract<FundsAnswer, { readonly known: true }> {
  if (funds.known) return funds;
  const { code, message } = funds.fault;
  throw new ContentRefusal([{ code, path: PATHS[code], message }]);
}

function requireTaken(taken: TakenBalanceCheck): bigint {
  switch (taken.result) {
    case "taken":
      return taken.responseIdentification;
    case "repeated":
      throw new ContentRefusal([REPEATED]);
    case "limited":
      throw new LimitRefusal("balance_check_limit", taken.continuesAt, taken.remainingMilliseconds);
  }
}

/** Frees the identification and throws `cause`, even if freeing fails: the TPP then makes a new identification. */
async function giveBack(
  store: BalanceCheckStore,
  responseIdentification: bigint,
  cause: unknown,
): Promise<never> {
  await store.giveBack(responseIdentification).catch(() => undefined);
  throw cause;
}
