import { readShownFaults } from "../forms/read-shown-faults.ts";
import { isFresh } from "../psu-session/psu-session.ts";
import type { ApprovalAnswer, ApprovalParts, ApprovalVisit } from "./approval.ts";
import { faultsAt } from "./order-faults.ts";
import { lead, type OwnForm, showAgain } from "./own-form.ts";
import { findCodeStanding } from "./send-code.ts";

/**
 * Shows the page in another language, with what was wrong; nothing is tried, and nothing sent. Where something else is to be
 * shown by now, the page itself says what.
 */
export async function switchOrderLanguage(
  parts: ApprovalParts,
  visit: ApprovalVisit,
  posted: OwnForm,
): Promise<ApprovalAnswer> {
  const now = parts.signIn.clock.now();
  const found = await parts.store.findHoldOff(posted.request.psu, now);
  if (found?.because === "failures" || !isFresh(posted.session, now)) return lead(visit);
  const codeStanding = await findCodeStanding(parts, posted);
  const faults = readShownFaults(posted.fields, faultsAt(codeStanding));
  return faults.length === 0 ? lead(visit) : showAgain(parts, visit, { ...posted, codeStanding, faults });
}
