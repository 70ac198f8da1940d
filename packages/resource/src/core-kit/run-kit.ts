import { BankRefusal } from "../bank/bank-refusal.ts";
import { CoreUnavailable } from "../bank/core-unavailable.ts";
import { ACCOUNT_CHECKS } from "./account-checks.ts";
import { CONNECTION_CHECKS } from "./connection-checks.ts";
import { ENDED_ORDERS } from "./ended-orders-check.ts";
import { EXECUTION_CHECKS } from "./execution-checks.ts";
import { type KitCheck, NotShown, Shortcoming } from "./kit-check.ts";
import { type KitParts, type KitScene, setScene } from "./kit-scene.ts";
import { ORDER_CHECKS } from "./order-checks.ts";
import { requireRunnable } from "./require-runnable.ts";
import { TRANSACTION_CHECKS } from "./transaction-checks.ts";

/** How one check ended; `seen` is what was seen or what is missing. */
export interface KitResult {
  readonly clause: string;
  readonly title: string;
  readonly outcome: "passed" | "failed" | "not shown";
  readonly seen: string;
}

/** Every check, in the order of the clauses; the last one looks again at the orders of those before it. */
export const KIT_CHECKS: readonly KitCheck[] = [
  ...CONNECTION_CHECKS,
  ...ACCOUNT_CHECKS,
  ...TRANSACTION_CHECKS,
  ...ORDER_CHECKS,
  ...EXECUTION_CHECKS,
  ENDED_ORDERS,
];

/**
 * Runs the checks one after the other, and reports each before the next begins; a failed check does not stop the rest. Throws
 * `CannotRun` before the first.
 */
export async function runKit(
  parts: KitParts,
  checks: readonly KitCheck[] = KIT_CHECKS,
  tell: (result: KitResult) => void = () => undefined,
): Promise<readonly KitResult[]> {
  const scene = setScene(parts);
  await requireRunnable(scene);
  const results: KitResult[] = [];
  const told = new Map<unknown, string>();
  for (const { clause, title, show } of checks) {
    const end = await show(scene).then(passed, (error) => {
      const { outcome, seen } = explain(error, parts.core);
      const before = told.get(error);
      if (outcome === "failed" && before === undefined) told.set(error, clause);
      return { outcome, seen: before === undefined ? seen : `the same answer as in ${before}` };
    });
    const result = { clause, title, ...end };
    results.push(result);
    tell(result);
  }
  return results;
}

/** The clause on time, which is another than that of the check; what is wrong with an answer names its own. */
function clauseOf({ code }: CoreUnavailable): string {
  return code === "core_timed_out" ? " (clause 1.5)" : "";
}

function passed(seen: string): Pick<KitResult, "outcome" | "seen"> {
  return { outcome: "passed", seen };
}

/** Explains an error that a check may throw; any other is a bug of the kit and thrown again. */
function explain(error: unknown, core: KitScene["core"]): Pick<KitResult, "outcome" | "seen"> {
  if (error instanceof NotShown) return { outcome: "not shown", seen: error.message };
  const asked = core.questionOf(error instanceof Shortcoming ? error.answer : error);
  const failed = (seen: string) =>
    ({ outcome: "failed", seen: asked === undefined ? seen : `${seen}, at ${asked}` }) as const;
  if (error instanceof Shortcoming) return failed(error.message);
  if (error instanceof CoreUnavailable) return failed(`${error.code}: ${error.detail}${clauseOf(error)}`);
  if (error instanceof BankRefusal) return failed(`refused with ${error.code}`);
  throw error;
}
