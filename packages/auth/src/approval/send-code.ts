import { randomUUID } from "node:crypto";
import { DeliveryFailed } from "../delivery/deliver.ts";
import type { CodeStanding } from "../pages/signing-view.ts";
import { isLiveIn, makeBoundCode } from "../signing/bound-code.ts";
import type { KeptCode, WaitingSigningRequest } from "../signing/signing-request.ts";
import type { SigningAct } from "../signing/signing-store.ts";
import type { ApprovalParts, ApprovalVisit } from "./approval.ts";

/** Enough codes for every try, without flooding the PSU with messages. */
const MOST_CODES = 5;

/**
 * What became of a code to send:
 * - `under_way`: one is on its way, this or an earlier one that is still good
 * - `undelivered`: it could not be sent, and does not count; the PSU may ask for another
 * - `used_up`: there is no further code for this order; `hasLast` when the last one is still good in this browser
 * - `hour_used_up`: there is no further code for this PSU before `until`; `hasLast` as above
 * - `held_off`: this PSU approves nothing before `until`
 * - `over`: the request no longer waits, or the PSU has been blocked
 */
export type CodeOutcome =
  | { readonly code: "under_way" | "undelivered" | "over" }
  | { readonly code: "used_up"; readonly hasLast: boolean }
  | { readonly code: "hour_used_up"; readonly hasLast: boolean; readonly until: Date }
  | { readonly code: "held_off"; readonly until: Date };

/** A waiting request and its own PSU, in a session of theirs. */
export interface OwnRequest {
  readonly request: WaitingSigningRequest;
  /** What only this browser holds: the id of its session. */
  readonly browser: string;
}

/** A waiting request with the time of the PSU's sign-in, which a block by the bank is compared with. */
export interface SignedInRequest extends OwnRequest {
  readonly authenticatedAt: Date;
}

/** Finds whether this browser has a live code, or may still get one for this order and within the PSU's limit per hour. */
export async function findCodeStanding(
  { store, signIn }: ApprovalParts,
  { request, browser }: OwnRequest,
): Promise<CodeStanding> {
  const now = signIn.clock.now();
  if (hasLiveCode(request, browser, now)) return "sent";
  if (request.codesMade >= MOST_CODES) return "none_left";
  const heldOff = await store.findHoldOff(request.psu, now);
  return heldOff?.because === "codes" ? "none_left" : "none";
}

function hasLiveCode({ code }: WaitingSigningRequest, browser: string, now: Date): boolean {
  return code !== undefined && isLiveIn(browser, code, now);
}

/** Sends a code for this order, unless this browser already has one; `anew` sends another one, which replaces it. */
export async function sendCode(
  parts: ApprovalParts,
  visit: ApprovalVisit,
  { request, browser, authenticatedAt, anew }: SignedInRequest & { readonly anew: boolean },
): Promise<CodeOutcome> {
  const now = parts.signIn.clock.now();
  const hasCode = (waiting: WaitingSigningRequest) => hasLiveCode(waiting, browser, now);
  const isThere = (waiting: WaitingSigningRequest) => !anew && hasCode(waiting);
  // Neither the code that is there nor a new one would approve anything meanwhile.
  const heldOff = await parts.store.findHoldOff(request.psu, now);
  if (heldOff?.because === "failures") return { code: "held_off", until: heldOff.until };
  if (isThere(request)) return { code: "under_way" };
  const { code, kept } = makeBoundCode(parts.codeKey, { request, browser }, now);
  const by = actOf(visit, { request, authenticatedAt }, now);
  const settled = await parts.store.settle(request.id, by, (waiting) =>
    // Decided under the lock, so that two tabs that load at once send one code.
    isThere(waiting) || waiting.codesMade >= MOST_CODES ? undefined : { move: "replace_code", code: kept },
  );
  if (settled?.request.state !== "waiting") return { code: "over" };
  const hasLast = hasCode(settled.request);
  if (settled.heldOff !== undefined) {
    const { because, until } = settled.heldOff;
    return because === "codes" ? { code: "hour_used_up", hasLast, until } : { code: "held_off", until };
  }
  if (settled.move !== undefined) return deliver(parts, visit, { request, code, kept, by });
  if (isThere(settled.request)) return { code: "under_way" };
  return settled.request.codesMade >= MOST_CODES ? { code: "used_up", hasLast } : { code: "over" };
}

/** The act of a PSU on their own request. */
export function actOf(
  { call }: ApprovalVisit,
  { request, authenticatedAt }: Pick<SignedInRequest, "request" | "authenticatedAt">,
  now: Date,
): SigningAct {
  const actor = { kind: "psu", psu: request.psu } as const;
  return { act: { actor, requestId: call.requestId }, now, authenticatedAt };
}

interface MadeCode {
  readonly request: WaitingSigningRequest;
  readonly code: string;
  readonly kept: KeptCode;
  readonly by: SigningAct;
}

async function deliver(
  parts: ApprovalParts,
  { language, call }: ApprovalVisit,
  { request, code, kept, by }: MadeCode,
): Promise<CodeOutcome> {
  const text = parts.writeCodeText(code, request.order.says, language);
  const { psu } = request;
  const { expiresAt } = kept;
  const { requestId } = call;
  try {
    const id = randomUUID();
    await parts.deliver({ id, psu, language, text, purpose: "payment_approval", requestId, expiresAt });
    return { code: "under_way" };
  } catch (error) {
    if (!(error instanceof DeliveryFailed)) throw error;
    // If the message arrives later, its code approves nothing, and no page says that it is under way.
    await parts.store.settle(request.id, by, ({ code: last }) =>
      last?.hash.equals(kept.hash) ? { move: "drop_code" } : undefined,
    );
    return { code: "undelivered" };
  }
}
