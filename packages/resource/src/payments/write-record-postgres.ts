import type { MoveDescription } from "./payment-record.ts";
import type { PaymentAct } from "./payment-store.ts";

/** Where the lines of records come from, as SQL expressions. */
interface RecordedMoves {
  /** Gives the `payment_id` of each payment, and its `moves` and `state` after the move. */
  readonly from: string;
  /** Expressions for the values of {@link valuesOfLine}. */
  readonly line: readonly string[];
  readonly at: string;
  readonly number?: string;
  readonly before: string;
}

/** Writes the statement that adds a line to the record of each of these payments. */
export function addLines({ from, line, at, number = "moves", before }: RecordedMoves): string {
  return `INSERT INTO payment_move (payment_id, number, move, moved_by, cause, facts, request_id, moved_at, state_before,
      state_after)
    SELECT payment_id, ${number}, ${line.join(", ")}, ${at}, ${before}, state FROM ${from}`;
}

/** Parameters for {@link valuesOfLine}, of which the first has the number `first`. */
export function parametersOfLine(first: number): readonly string[] {
  return Array.from({ length: LINE_LENGTH }, (_, place) => `$${first + place}`);
}

const LINE_LENGTH = 5;

/** Values of a line, apart from its time and the states of the payment. */
export function valuesOfLine(
  { move, by, cause, facts }: MoveDescription,
  { requestId }: PaymentAct,
): readonly unknown[] {
  return [move, by, cause, JSON.stringify(facts), requestId];
}
