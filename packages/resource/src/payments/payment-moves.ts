/**
 * Every move of a payment, independent of time and storage: which moves a state allows, and which state follows. No move
 * leads to an earlier state, and none leads to the bank without an approval of exactly the bytes in the payment.
 */
import type {
  AcceptedState,
  Approval,
  ApprovalFault,
  ApprovedState,
  EnteredState,
  HandedOverState,
  PaymentState,
  PaymentStateName,
  PsuRefusal,
  SigningEnding,
} from "./payment.ts";
import type { SignId, SigningRequestId } from "./payment-ids.ts";

/** What may happen to a payment. An `orderDigest` is that of the order as stored now, computed for this move. */
export type PaymentMove =
  /** Auth now has the order. */
  | { readonly move: "ask"; readonly signId: SignId; readonly requestId: SigningRequestId }
  /** Auth has reported that its request is over without a decision. */
  | { readonly move: "end_signing"; readonly ending: SigningEnding }
  /** A new attempt after one that ended (COBS 3.2.8). */
  | { readonly move: "open_signing"; readonly signId: SignId }
  | { readonly move: "approve"; readonly approval: Approval; readonly orderDigest: Buffer }
  | { readonly move: "refuse"; readonly reason: PsuRefusal }
  | {
      readonly move: "refuse_approval";
      readonly reason: ApprovalFault;
      readonly approval: Approval;
      /** Undefined when the stored order cannot be read, or contradicts itself. */
      readonly orderDigest: Buffer | undefined;
    }
  /** If auth has the order, `requestId` is the request that auth has ended for this reason. */
  | {
      readonly move: "end_consent";
      readonly reason: "consent_ended";
      readonly requestId: SigningRequestId | undefined;
    }
  | { readonly move: "expire"; readonly now: Date }
  | { readonly move: "delete" }
  | { readonly move: "hand_over"; readonly orderDigest: Buffer }
  | {
      readonly move: "refuse_execution";
      readonly reason: "digest_mismatch";
      readonly orderDigest: Buffer | undefined;
    }
  | { readonly move: "accept" }
  | { readonly move: "complete"; readonly entryReference: string | undefined }
  | { readonly move: "reject"; readonly reason: string };

/**
 * Why a move is not made; the state stays as it is:
 * - `wrong_state`: the payment's state does not allow such a move
 * - `asked`: auth has the order, so it may be approved at any moment
 * - `not_asked`: auth does not have the order, or not under this request
 * - `not_ended`: the current attempt is not over
 * - `signing_ended`: this is not the current attempt, or it is over
 * - `signings_exhausted`: the payment has had as many attempts as allowed
 * - `not_expired`: its time is not over
 * - `approval_late`: its time was over when it was approved
 * - `digest_mismatch`: the digests are not of the same bytes
 */
export type MoveRefusal =
  | "wrong_state"
  | "asked"
  | "not_asked"
  | "not_ended"
  | "signing_ended"
  | "signings_exhausted"
  | "not_expired"
  | "approval_late"
  | "digest_mismatch";

/** The state that follows, or why there is none. */
export type MoveOutcome = { readonly state: PaymentState } | { readonly refused: MoveRefusal };

/** Table: the moves that each state allows. */
export const MOVES_FROM = {
  entered: [
    "ask",
    "end_signing",
    "open_signing",
    "approve",
    "refuse",
    "refuse_approval",
    "end_consent",
    "expire",
    "delete",
  ],
  approved: ["hand_over", "refuse_execution"],
  handed_over: ["hand_over", "refuse_execution", "accept", "complete", "reject"],
  accepted: ["complete", "reject"],
  completed: [],
  rejected: [],
  expired: [],
  deleted: [],
} as const satisfies Readonly<Record<PaymentStateName, readonly PaymentMove["move"][]>>;

/** A move that is possible in the state of that name. */
export type MoveFrom<Name extends PaymentStateName> = Extract<
  PaymentMove,
  { readonly move: (typeof MOVES_FROM)[Name][number] }
>;

type Move<Name extends PaymentMove["move"]> = Extract<PaymentMove, { readonly move: Name }>;

/** Most attempts to have one payment approved (COBS 3.2.8). */
export const MOST_SIGNINGS = 5;

/** Makes a move, or gives the reason against it. */
export function movePayment(state: PaymentState, move: PaymentMove): MoveOutcome {
  switch (state.state) {
    case "entered":
      return isMoveFrom("entered", move) ? moveEntered(state, move) : refuse("wrong_state");
    case "approved":
      return isMoveFrom("approved", move) ? moveApproved(state, move) : refuse("wrong_state");
    case "handed_over":
      return isMoveFrom("handed_over", move) ? moveHandedOver(state, move) : refuse("wrong_state");
    case "accepted":
      return isMoveFrom("accepted", move) ? settle(state, move) : refuse("wrong_state");
    default:
      return refuse("wrong_state");
  }
}

function isMoveFrom<Name extends PaymentStateName>(name: Name, move: PaymentMove): move is MoveFrom<Name> {
  const moves: readonly string[] = MOVES_FROM[name];
  return moves.includes(move.move);
}

function refuse(refused: MoveRefusal): MoveOutcome {
  return { refused };
}

function moveEntered(state: EnteredState, move: MoveFrom<"entered">): MoveOutcome {
  const { signing } = state;
  switch (move.move) {
    case "ask":
      return ask(state, move);
    case "open_signing":
      return openSigning(state, move.signId);
    case "approve":
      return approve(state, move);
    case "end_consent":
      return endConsent(state, move);
    case "expire":
      return expire(state, move.now);
    case "delete":
      return signing.state === "asked" ? refuse("asked") : after(state, { state: "deleted" });
    default:
      return signing.state === "asked" ? decide(state, signing.requestId, move) : refuse("not_asked");
  }
}

/** Creates a following state, which keeps the attempts of the payment. */
function after<Next extends Omit<PaymentState, "signId" | "earlierSignIds">>(
  { signId, earlierSignIds }: PaymentState,
  next: Next,
): { readonly state: Next & Pick<PaymentState, "signId" | "earlierSignIds"> } {
  return { state: { ...next, signId, earlierSignIds } };
}

/** Asking again under the same request changes nothing. */
function ask(state: EnteredState, { signId, requestId }: Move<"ask">): MoveOutcome {
  const { signing } = state;
  if (signing.state === "ended" || signId !== state.signId) return refuse("signing_ended");
  if (signing.state === "asked" && signing.requestId !== requestId) return refuse("asked");
  return { state: { ...state, signing: { state: "asked", requestId } } };
}

function openSigning(state: EnteredState, signId: SignId): MoveOutcome {
  const earlierSignIds = [...state.earlierSignIds, state.signId];
  if (state.signing.state !== "ended") return refuse("not_ended");
  if (earlierSignIds.length >= MOST_SIGNINGS) return refuse("signings_exhausted");
  return { state: { ...state, signId, earlierSignIds, signing: { state: "open" } } };
}

/** RTS Article 5(1): the approval must be of these bytes, under the current request, and in time. */
function approve(state: EnteredState, { approval, orderDigest }: Move<"approve">): MoveOutcome {
  const { signing, expiresAt } = state;
  if (signing.state !== "asked" || signing.requestId !== approval.requestId) return refuse("not_asked");
  if (approval.approvedAt >= expiresAt) return refuse("approval_late");
  if (!approval.digest.equals(orderDigest)) return refuse("digest_mismatch");
  return after(state, { state: "approved", approval });
}

/** Refuses while auth may have an approval on its way, unless auth itself reports that this request is over. */
function endConsent(state: EnteredState, { reason, requestId }: Move<"end_consent">): MoveOutcome {
  const { signing } = state;
  const asked = signing.state === "open" ? undefined : signing.requestId;
  if (signing.state === "asked" && asked !== requestId) return refuse("asked");
  return after(state, { state: "rejected", rejection: { by: "consent", reason, requestId: asked } });
}

/** Refuses while auth may have an approval on its way. */
function expire(state: EnteredState, now: Date): MoveOutcome {
  if (state.signing.state === "asked") return refuse("asked");
  return now < state.expiresAt ? refuse("not_expired") : after(state, { state: "expired" });
}

/** Takes the outcome of a request that auth has decided or ended. */
function decide(
  state: EnteredState,
  requestId: SigningRequestId,
  move: Move<"end_signing" | "refuse" | "refuse_approval">,
): MoveOutcome {
  switch (move.move) {
    case "end_signing":
      return { state: { ...state, signing: { state: "ended", requestId, ending: move.ending } } };
    case "refuse":
      return after(state, { state: "rejected", rejection: { by: "psu", reason: move.reason, requestId } });
    case "refuse_approval": {
      const rejection = { by: "approval_check", reason: move.reason, requestId } as const;
      return after(state, { state: "rejected", rejection });
    }
  }
}

function moveApproved(state: ApprovedState | HandedOverState, move: MoveFrom<"approved">): MoveOutcome {
  const { approval } = state;
  if (move.move === "hand_over") {
    if (!approval.digest.equals(move.orderDigest)) return refuse("digest_mismatch");
    return after(state, { state: "handed_over", approval });
  }
  const rejection = { by: "execution_check", reason: move.reason, approval } as const;
  return after(state, { state: "rejected", rejection });
}

function moveHandedOver(state: HandedOverState, move: MoveFrom<"handed_over">): MoveOutcome {
  switch (move.move) {
    case "accept":
      return after(state, { state: "accepted", approval: state.approval });
    case "complete":
    case "reject":
      return settle(state, move);
    default:
      return moveApproved(state, move);
  }
}

function settle(state: HandedOverState | AcceptedState, move: MoveFrom<"accepted">): MoveOutcome {
  const { approval } = state;
  if (move.move === "reject")
    return after(state, { state: "rejected", rejection: { by: "bank", reason: move.reason, approval } });
  return after(state, { state: "completed", approval, entryReference: move.entryReference });
}
