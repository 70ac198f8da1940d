import { randomInt } from "node:crypto";
import { type Money, presentDecimal } from "@cobs/cobs-model";
import type { OrganisationIdentifier } from "@cobs/psd2-certificates";
import type { Database, Queries } from "@cobs/service-edge";
import type {
  BalanceCheckLimits,
  BalanceCheckStore,
  NewBalanceCheck,
  TakenBalanceCheck,
} from "./balance-check-store.ts";

/** Hours instead of days, because a day of PostgreSQL may have 23 or 25 hours. */
const HOUR = "interval '1 hour'";
const DAY = "interval '24 hours'";

// A question of the same TPP about the same account waits here until this one is counted, or is not.
const TAKE_TURN = {
  name: "balance-check-turn",
  text: "SELECT pg_advisory_xact_lock(hashtextextended('balance check ' || $1::text || ' ' || $2::text, 0))",
};

/** Frees an identification that was used more than 24 hours ago and that nobody has deleted yet. */
const FREE_OLD = {
  name: "balance-check-free-old",
  text: `UPDATE balance_check SET exchange_identification = NULL
    WHERE organisation_identifier = $1 AND exchange_identification = $2 AND checked_at <= now() - ${DAY}`,
};

const NUMBERS_OF_A_SECOND = 1_000_000;
/** Nobody draws this many taken numbers by chance. */
const MOST_DRAWS = 20;

// A counter would tell a TPP how much the others ask. So the number is the second, followed by a random one of a million. It
// does not come back when a backup is restored, and a 64-bit binary number holds it (IEEE 754).
const ADD = {
  name: "balance-check-add-drawn",
  text: `INSERT INTO balance_check
      (response_identification, organisation_identifier, exchange_identification, account_id, amount)
    OVERRIDING SYSTEM VALUE
    VALUES (floor(extract(epoch FROM now()))::bigint * ${NUMBERS_OF_A_SECOND} + $5, $1, $2, $3, $4)
    ON CONFLICT DO NOTHING RETURNING response_identification`,
};

/**
 * Finds when the oldest of the questions that use up a limit stops counting, for the limit where that is latest; null when
 * one may be asked. A question that seems to lie more than a day ahead comes from a clock that was ahead, and does not count
 * until the clock has caught up.
 */
const JUDGE = {
  name: "balance-check-judge",
  text: `WITH asked AS (
      SELECT amount, checked_at FROM balance_check
      WHERE organisation_identifier = $1 AND account_id = $2 AND checked_at > now() - ${DAY}
        AND checked_at < now() + ${DAY}
    ), amounts AS (SELECT amount, max(checked_at) AS last_at FROM asked GROUP BY amount),
    judged AS (SELECT greatest(
      (SELECT checked_at + ${HOUR} FROM asked WHERE checked_at > now() - ${HOUR}
        ORDER BY checked_at DESC OFFSET $4::integer - 1 LIMIT 1),
      (SELECT last_at + ${HOUR} FROM amounts WHERE last_at > now() - ${HOUR} AND ${isNew(HOUR)}
        ORDER BY last_at DESC OFFSET $5::integer - 1 LIMIT 1),
      (SELECT last_at + ${DAY} FROM amounts WHERE ${isNew(DAY)}
        ORDER BY last_at DESC OFFSET $6::integer - 1 LIMIT 1)) AS continues_at)
    SELECT continues_at, (extract(epoch FROM continues_at - now()) * 1000)::float8 AS continues_in FROM judged`,
};

const IS_REPEATED = {
  name: "balance-check-is-repeated",
  text: `SELECT FROM balance_check WHERE organisation_identifier = $1 AND exchange_identification = $2
    AND checked_at > now() - ${DAY}`,
};

const MOVE = {
  name: "balance-check-move",
  text: "UPDATE balance_check SET account_id = $2 WHERE response_identification = $1",
};

// The answer may already be stored, if the caller that stored it did not learn of that.
const GIVE_BACK = {
  name: "balance-check-give-back",
  text: "UPDATE balance_check SET exchange_identification = NULL, enough = NULL WHERE response_identification = $1",
};

const KEEP_ANSWER = {
  name: "balance-check-keep-answer",
  text: "UPDATE balance_check SET enough = $2 WHERE response_identification = $1",
};

// The numbers within one second are in no order. If the row of `after` has been forgotten, no row before it had to be kept
// either.
const LIST = {
  name: "balance-check-list",
  text: `SELECT response_identification, organisation_identifier, amount, checked_at, enough FROM balance_check
    WHERE account_id = $1 AND ($2::bigint IS NULL OR (checked_at, response_identification) <
      (SELECT checked_at, response_identification FROM balance_check WHERE response_identification = $2))
    ORDER BY checked_at DESC, response_identification DESC LIMIT $3`,
};

const FORGET = {
  name: "balance-check-forget",
  text: `DELETE FROM balance_check WHERE response_identification = ANY (ARRAY(
      SELECT response_identification FROM balance_check WHERE checked_at <= now() - $2 * ${DAY}
      ORDER BY checked_at LIMIT $1 FOR UPDATE SKIP LOCKED)) RETURNING 1`,
};

function isNew(period: string): string {
  return `NOT EXISTS (SELECT FROM amounts AS same WHERE same.amount = $3 AND same.last_at > now() - ${period})`;
}

interface KeptRow {
  readonly response_identification: bigint;
  readonly organisation_identifier: OrganisationIdentifier;
  readonly amount: string;
  readonly checked_at: Date;
  readonly enough: boolean | null;
}

interface JudgedRow {
  readonly continues_at: Date | null;
  readonly continues_in: number | null;
}

/** Stores the questions in PostgreSQL. `draw` gives one of the numbers of a second, which nobody can predict. */
export function createBalanceCheckStore(
  database: Database,
  draw = () => randomInt(NUMBERS_OF_A_SECOND),
): BalanceCheckStore {
  const inTurn = (
    { organisationIdentifier, account }: NewBalanceCheck,
    work: (queries: Queries) => Promise<TakenBalanceCheck>,
  ) =>
    database.transaction(async (queries) => {
      await queries.run({ ...TAKE_TURN, values: [organisationIdentifier, account] });
      return work(queries);
    }, `balance check ${organisationIdentifier} ${account}`);
  return {
    take: (check, limits) => inTurn(check, (queries) => takeIn(queries, { check, draw }, limits)),
    moveTo: (responseIdentification, check, limits) =>
      inTurn(check, async (queries) => {
        const limited = await findLimited(queries, check, limits);
        if (limited !== undefined) return limited;
        await queries.run({ ...MOVE, values: [responseIdentification, check.account] });
        return { result: "taken", responseIdentification };
      }),
    isRepeated: (check) => isRepeated(database, check),
    giveBack: async (responseIdentification) => {
      await database.run({ ...GIVE_BACK, values: [responseIdentification] });
    },
    keepAnswer: async (responseIdentification, enough) => {
      await database.run({ ...KEEP_ANSWER, values: [responseIdentification, enough] });
    },
    listOf: async (account, { after, limit }) => {
      const rows = await database.run<KeptRow>({ ...LIST, values: [account, after ?? null, limit] });
      return rows.map(readKept);
    },
    forgetOld: async (batch, keptDays) =>
      (await database.run({ ...FORGET, values: [batch, keptDays] })).length,
  };
}

function readKept({ organisation_identifier: organisationIdentifier, amount, enough, ...row }: KeptRow) {
  const { response_identification: responseIdentification, checked_at: checkedAt } = row;
  return { responseIdentification, organisationIdentifier, checkedAt, amount, enough: enough ?? undefined };
}

/** A question, and the source of its answer's number. */
interface Taking {
  readonly check: NewBalanceCheck;
  readonly draw: () => number;
}

/** Nothing is written for a question that is refused for a limit: a TPP can ask as often as it likes. */
async function takeIn(
  queries: Queries,
  { check, draw }: Taking,
  limits: BalanceCheckLimits,
): Promise<TakenBalanceCheck> {
  const { organisationIdentifier, exchangeIdentification } = check;
  const limited = await findLimited(queries, check, limits);
  if (limited !== undefined) return (await isRepeated(queries, check)) ? { result: "repeated" } : limited;
  await queries.run({ ...FREE_OLD, values: [organisationIdentifier, exchangeIdentification] });
  const responseIdentification = await add(queries, { check, draw });
  if (responseIdentification === undefined) return { result: "repeated" };
  return { result: "taken", responseIdentification };
}

/** Finds the limit that a question would exceed which is not counted for its account yet. */
async function findLimited(
  queries: Queries,
  { organisationIdentifier, account, amount }: NewBalanceCheck,
  { perHour, amountsPerHour, amountsPerDay }: BalanceCheckLimits,
): Promise<TakenBalanceCheck | undefined> {
  const of = [organisationIdentifier, account, presentAsked(amount)];
  const values = [...of, perHour, amountsPerHour, amountsPerDay];
  const [judged] = await queries.run<JudgedRow>({ ...JUDGE, values });
  if (judged === undefined || judged.continues_at === null || judged.continues_in === null) return undefined;
  const { continues_at: continuesAt, continues_in: remainingMilliseconds } = judged;
  return { result: "limited", continuesAt, remainingMilliseconds };
}

function presentAsked(amount: Money): string {
  return `${presentDecimal(amount)} ${amount.currency}`;
}

/** Adds a question and returns its number; undefined when its identification is used. */
async function add(queries: Queries, { check, draw }: Taking): Promise<bigint | undefined> {
  const { organisationIdentifier, exchangeIdentification, account, amount } = check;
  for (let drawn = 0; drawn < MOST_DRAWS; drawn += 1) {
    const values = [organisationIdentifier, exchangeIdentification, account, presentAsked(amount), draw()];
    const [added] = await queries.run<{ response_identification: bigint }>({ ...ADD, values });
    if (added !== undefined) return added.response_identification;
    if (await isRepeated(queries, check)) return undefined;
  }
  throw new Error("no number is free for an answer");
}

async function isRepeated(
  queries: Queries,
  { organisationIdentifier, exchangeIdentification }: Parameters<BalanceCheckStore["isRepeated"]>[0],
): Promise<boolean> {
  const values = [organisationIdentifier, exchangeIdentification];
  return (await queries.run({ ...IS_REPEATED, values })).length > 0;
}
