import type { Clock, Log } from "@cobs/service-edge";
import { CoreUnavailable, type CoreUnavailableCode } from "../core-unavailable.ts";
import { type CircuitParts, type CoreCircuit, createCoreCircuit } from "./core-circuit.ts";
import { CORE_OPERATIONS, type CoreOperation, type CoreQuestion } from "./core-questions.ts";
import { runByParty } from "./party-circuits.ts";

/** Each kind of question has its own circuit; "all" is for a core system that cannot be reached. */
export type CircuitName = CoreOperation | "all";

/** What a circuit must know of a question. */
export type CircuitQuestion = Pick<CoreQuestion<unknown>, "operation" | "party" | "counts">;

/** The circuits of one core system. */
export interface CoreCircuits {
  /** Runs a task that asks a question, or refuses at once with `core_circuit_open`. */
  run<T>(question: CircuitQuestion, task: () => Promise<T>): Promise<T>;
  /** Every circuit but those of single parties, and whether it is open as far as known. */
  states(): readonly (readonly [name: CircuitName, isOpen: boolean])[];
}

type Judged = Pick<CircuitParts, "counted" | "silent">;

/**
 * Outcomes that show that nothing can be asked. A timeout is not one: the core system may have been working on the answer.
 * Every call counts: whether a connection can be made does not depend on who is asked about.
 */
const OF_ALL: Judged = {
  counted: new Set<CoreUnavailableCode>(["core_unreachable"]),
  silent: new Set<CoreUnavailableCode>(["core_busy"]),
};

/**
 * Outcomes that show that one kind of question is not answered, while others may be: lists that take the core system too long
 * to sort must not stop payments. One account that is slow or fails must not stop all other accounts, so failures about several
 * PSUs are needed; failures about one stop only what is asked about it. A whole answer with wrong content does not count at all,
 * because refusing it is cheap.
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

/** It logs nothing when it opens, because anybody's slow account could fill the log; the refused calls are logged. */
const OF_A_PARTY = {
  countsBy: "calls",
  detail: "it is not asked about this PSU for a while, after too many failures",
} as const;

/** Detail of a refusal about everyone, for the log. */
const LEFT_ALONE = "it is not asked for a while, after too many failures";

const isFailureOfKind = (error: unknown): boolean =>
  error instanceof CoreUnavailable && OF_ONE_KIND.counted.has(error.code);

/** The circuits for one kind of question. */
interface CircuitsOfKind {
  readonly ofKind: CoreCircuit;
  readonly runFor: ReturnType<typeof runByParty>;
}

/** Creates the circuits of one core system, closed. */
export function createCoreCircuits(log: Log, clock: Pick<Clock, "monotonicMilliseconds">): CoreCircuits {
  const ofEveryone = (operation: CircuitName) => ({
    clock,
    onBreak: () => log.error({ operation }, "the core system fails; its circuit is open"),
    onReset: () => log.info({ operation }, "the core system answers again"),
    detail: LEFT_ALONE,
  });
  const ofAll = createCoreCircuit({ ...OF_ALL, ...ofEveryone("all"), countsBy: "calls" });
  const makeOfParty = () => createCoreCircuit({ ...OF_ONE_KIND, ...OF_A_PARTY, clock });
  const makeOfKind = (operation: CoreOperation): CircuitsOfKind => ({
    ofKind: createCoreCircuit({ ...OF_ONE_KIND, ...ofEveryone(operation), countsBy: "parties" }),
    runFor: runByParty({ make: makeOfParty, isCounted: isFailureOfKind }),
  });
  const askUncounted = async <T>(ofKind: CoreCircuit, task: () => Promise<T>): Promise<T> => {
    if (ofKind.isOpen || ofAll.isOpen) throw new CoreUnavailable("core_circuit_open", LEFT_ALONE);
    return task();
  };
  const ofKinds = new Map(CORE_OPERATIONS.map((operation) => [operation, makeOfKind(operation)]));

  return {
    // The circuit of all comes last: when another is open nothing is asked, and "all" must not count that.
    run: ({ operation, party, counts }, task) => {
      const circuits = ofKinds.get(operation);
      if (circuits === undefined) throw new TypeError(`there is no circuit for ${operation}`);
      if (counts === false) return askUncounted(circuits.ofKind, task);
      const askInKind = () => circuits.ofKind.run(() => ofAll.run(task), party);
      return party === undefined ? askInKind() : circuits.runFor(party, askInKind);
    },
    states: () => [
      ["all", ofAll.isOpen],
      ...[...ofKinds].map(([operation, { ofKind }]) => [operation, ofKind.isOpen] as const),
    ],
  };
}
