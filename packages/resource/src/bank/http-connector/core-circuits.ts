import type { Clock, Log } from "@cobs/service-edge";
import type { CoreUnavailableCode } from "../core-unavailable.ts";
import { type CircuitParts, type CoreCircuit, createCoreCircuit } from "./core-circuit.ts";
import { CORE_OPERATIONS, type CoreOperation } from "./core-questions.ts";

/** A kind of question has a circuit of its own; "all" is the one of a core system that cannot be reached. */
export type CircuitName = CoreOperation | "all";

/** The circuits of one core system. */
export interface CoreCircuits {
  /** Runs what asks a question of this kind, or refuses with `core_circuit_open` at once. */
  run<T>(operation: CoreOperation, task: () => Promise<T>): Promise<T>;
  /** Every circuit, and whether it is open as far as is known. */
  states(): readonly (readonly [name: CircuitName, isOpen: boolean])[];
}

type Judged = Pick<CircuitParts, "counted" | "silent">;

/** What says that nothing can be asked, whatever it is. A call that timed out may have found the core system at its work. */
const OF_ALL: Judged = {
  counted: new Set<CoreUnavailableCode>(["core_unreachable"]),
  silent: new Set<CoreUnavailableCode>(["core_busy"]),
};

/**
 * What says that one kind of question is not answered; others may well be: lists that are too long for the core system to
 * sort in time must not close the way to payments. An answer that came whole and is wrong in what it says is none of these:
 * one account with one bad entry must not close the way to all others, and a refusal costs nobody anything.
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

/** Makes the circuits of one core system, closed. */
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
    // A kind that is left alone asks nothing, and so says nothing of whether the core system can be reached.
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
