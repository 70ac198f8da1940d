import { hash } from "node:crypto";
import type { MadeMove, PlaceMove } from "./made-move.ts";
import type { Approval } from "./payment.ts";
import type { PaymentMove } from "./payment-moves.ts";

/** What the record says about a move, apart from its time and states. */
export type MoveDescription = Pick<MadeMove, "move" | "by" | "cause" | "facts">;

/** Table: who decides each move. */
const BY: Readonly<Record<MadeMove["move"], MadeMove["by"]>> = {
  enter: "tpp",
  ask: "tpp",
  open_signing: "tpp",
  delete: "tpp",
  approve: "psu",
  refuse: "psu",
  end_signing: "server",
  refuse_approval: "server",
  end_consent: "server",
  expire: "server",
  hand_over: "server",
  refuse_execution: "server",
  restore_place: "server",
  accept: "bank",
  complete: "bank",
  reject: "bank",
};

/** Describes a move for a payment's record: codes, ids and digests, and nothing from the order's content. */
export function describeMove(move: PaymentMove | PlaceMove): MoveDescription {
  return { move: move.move, by: BY[move.move], cause: causeOf(move), facts: factsOf(move) };
}

/** Describes the entry, which is the first line of the record. */
export function describeEntry(entered: EnteredFacts): MoveDescription {
  return { move: "enter", by: BY.enter, cause: undefined, facts: factsOfEntry(entered) };
}

/** The parts of a payment that must never change after its entry. */
export interface EnteredFacts {
  readonly digest: Buffer;
  /** The order as stored, including what no page shows. */
  readonly content: string;
  readonly psu: string;
  readonly account: string;
}

/** Facts of the first line of a payment's record. */
export function factsOfEntry({ digest, content, psu, account }: EnteredFacts): MadeMove["facts"] {
  const contentDigest = hash("sha256", content, "base64url");
  return { orderDigest: writeDigest(digest), contentDigest, psu, account };
}

function causeOf(move: PaymentMove | PlaceMove): string | undefined {
  if ("reason" in move) return move.reason;
  return move.move === "end_signing" ? move.ending : undefined;
}

function factsOf(move: PaymentMove | PlaceMove): MadeMove["facts"] {
  switch (move.move) {
    case "ask":
      return { signId: move.signId, signingRequestId: move.requestId };
    case "open_signing":
      return { signId: move.signId };
    case "approve":
    case "refuse_approval":
      return { ...factsOfApproval(move.approval), ...factsOfOrder(move.orderDigest) };
    case "hand_over":
      return factsOfOrder(move.orderDigest);
    case "refuse_execution":
      return "orderDigest" in move ? factsOfOrder(move.orderDigest) : {};
    case "complete":
      return move.entryReference === undefined ? {} : { entryReference: move.entryReference };
    default:
      return {};
  }
}

function factsOfApproval({ id, requestId, digest, methods, approvedAt }: Approval): MadeMove["facts"] {
  return {
    approvalId: id,
    signingRequestId: requestId,
    approvedDigest: writeDigest(digest),
    methods: methods.join(" "),
    approvedAt: approvedAt.toISOString(),
  };
}

function factsOfOrder(orderDigest: Buffer | undefined): MadeMove["facts"] {
  return orderDigest === undefined ? {} : { orderDigest: writeDigest(orderDigest) };
}

function writeDigest(digest: Buffer): string {
  return digest.toString("base64url");
}
