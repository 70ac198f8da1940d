import type { Clock, Log } from "@cobs/service-edge";
import type { CoreUnavailableCode } from "../core-unavailable.ts";
import { type CircuitParts, type CoreCircuit, createCoreCircuit } from "./core-circuit.ts";
import { CORE_OPERATIONS, type CoreOperation } from "./core-questions.ts";

/** Each kind of question has its own circuit; "all" is for a core system that cannot be reached. */
export type CircuitName = CoreOperation | "all";

/** The circuits of one core system. */
export interface CoreCircuits {
  /** Runs a task that asks a question of this kind, or refuses at once with `core_circuit_open`. */
  run<T>(operation: CoreOperation, task: () => Promise<T>): Promise<T>;
  /** Every circuit, and whether it is open as far as known. */
  states(): readonly (readonly [name: CircuitName, isOpen: boolean])[];
}

type Judged = Pick<CircuitParts, "counted" | "silent">;

/**
 * Outcomes that show that nothing can be asked. A timeout is not one: the core system may have been working on the answer.
 */
const OF_ALL: Judged = {
  counted: new Set<CoreUnavailableCode>(["core_unreachable"]),
  silent: new Set<CoreUnavailableCode>(["core_busy"]),
};

/**
 * Outcomes that show that one kind of question is not answered, while others may be: lists that take the core system too long
 * to sort must not stop payments. A whole answer with wrong content does not count. One bad entry in one account must not stop
 * all other accounts, and refusing it is cheap.
 */
const OF_ONE_KIND: Judged = {
  counted: new Set<CoreUnavailableCode>([
    "core_timed_out",
    "answer_cut",
    "answer_broken",
    "answer_throttled",
    "answer_status",
  ]),
  silent: new Set<CoreUnavailableCode>(["core_busy", "core_unreachable", "core_circuit_open"]),
};

/** Creates the circuits of one core system, closed. */
export function createCoreCircuits(log: Log, clock: Pick<Clock, "monotonicMilliseconds">): CoreCircuits {
  const create = (operation: CircuitName, judged: Judged): CoreCircuit =>
    createCoreCircuit({
      ...judged,
      clock,
      onBreak: () => log.error({ operation }, "the core system fails; its circuit is open"),
      onReset: () => log.info({ operation }, "the core system answers again"),
    });
  const ofAll = create("all", OF_ALL);
  const ofKinds = new Map(CORE_OPERATIONS.map((operation) => [operation, create(operation, OF_ONE_KIND)]));

  return {
    // The circuit of the kind comes first: when it is open nothing is asked, and "all" must not count that.
    run: (operation, task) => {
      const ofKind = ofKinds.get(operation);
      if (ofKind === undefined) throw new TypeError(`there is no circuit for ${operation}`);
      return ofKind.run(() => ofAll.run(task));
    },
    states: () => [
      ["all", ofAll.isOpen],
      ...[...ofKinds].map(([operation, { isOpen }]) => [operation, isOpen] as const),
    ],
  };
}
