import { isLiveIn, makeBoundCode } from "../signing/bound-code.ts";
import { DeliveryFailed } from "../signing/deliver.ts";
import type { WaitingSigningRequest } from "../signing/signing-request.ts";
import type { ApprovalParts, ApprovalVisit } from "./approval.ts";

/** A code for every try, and no flood of messages to the PSU. */
export const MOST_CODES = 5;

/**
 * What became of a code that was to be sent:
 * - `under_way`: one is, this or an earlier one that is still good
 * - `undelivered`: it could not be sent; another one may be asked for
 * - `used_up`: there is no further code for this order
 * - `over`: the request does not wait any more
 */
export type CodeOutcome = "under_way" | "undelivered" | "used_up" | "over";

/** A waiting request before its own PSU, in a session of theirs. */
export interface OwnRequest {
  readonly request: WaitingSigningRequest;
  /** What this browser alone holds: the id of its session. */
  readonly browser: string;
}

/** Sends a code for this very order unless this browser has one; `anew` sends another one, which replaces it. */
export async function sendCode(
  parts: ApprovalParts,
  visit: ApprovalVisit,
  { request, browser, anew }: OwnRequest & { readonly anew: boolean },
): Promise<CodeOutcome> {
  const now = parts.signIn.clock.now();
  const isThere = ({ code }: WaitingSigningRequest) =>
    !anew && code !== undefined && isLiveIn(browser, code, now);
  if (isThere(request)) return "under_way";
  const { code, kept } = makeBoundCode(parts.codeKey, { request, browser }, now);
  const act = { actor: { kind: "psu", psu: request.psu }, requestId: visit.call.requestId } as const;
  const settled = await parts.store.settle(request.id, { act, now }, (waiting) =>
    // Decided under the lock: two tabs that load at once send one code.
    isThere(waiting) || waiting.codesMade >= MOST_CODES ? undefined : { move: "replace_code", code: kept },
  );
  if (settled?.request.state !== "waiting") return "over";
  if (settled.move === undefined) return isThere(settled.request) ? "under_way" : "used_up";
  return deliver(parts, visit, { request, code });
}

async function deliver(
  parts: ApprovalParts,
  { language }: ApprovalVisit,
  { request, code }: { readonly request: WaitingSigningRequest; readonly code: string },
): Promise<CodeOutcome> {
  const text = parts.writeCodeText(code, request.order.says, language);
  try {
    await parts.deliver({ psu: request.psu, language, text });
    return "under_way";
  } catch (error) {
    if (error instanceof DeliveryFailed) return "undelivered";
    throw error;
  }
}
