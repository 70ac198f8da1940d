import type { SigningMove } from "../signing/signing-request.ts";
import type { ApprovalAnswer, ApprovalParts, ApprovalVisit } from "./approval.ts";
import { lead, leadBack, namedHost, type OwnForm, settle } from "./own-form.ts";

/**
 * Refuses the order for good and leads the PSU back. An order that was approved meanwhile stays approved, and the page says so.
 */
export async function refuseOrder(
  parts: ApprovalParts,
  visit: ApprovalVisit,
  posted: OwnForm,
): Promise<ApprovalAnswer> {
  // Read before anything is decided: a malformed form refuses no order.
  const named = namedHost(posted);
  const decide = (): SigningMove => ({ move: "refuse", reason: "declined" });
  const settled = await settle(parts, visit, { posted, decide });
  if (settled?.request.state !== "refused") return lead(visit);
  return leadBack(visit, { request: settled.request, named });
}
