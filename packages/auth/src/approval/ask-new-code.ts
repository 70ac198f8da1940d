import { doneCookie } from "../psu-session/done-cookie.ts";
import { isFresh } from "../psu-session/psu-session.ts";
import { type ApprovalAnswer, type ApprovalParts, type ApprovalVisit, approvalPath } from "./approval.ts";
import { LAST_CODE } from "./order-faults.ts";
import { lead, type OwnForm } from "./own-form.ts";
import { sendCode } from "./send-code.ts";
import { showOrder, showSent, withoutCode } from "./show-approval.ts";

/** Sends another code, which an older sign-in does not earn. */
export async function askNewCode(
  parts: ApprovalParts,
  visit: ApprovalVisit,
  posted: OwnForm,
): Promise<ApprovalAnswer> {
  if (!isFresh(posted.session, parts.signIn.clock.now())) return lead(visit);
  const sent = await sendCode(parts, visit, { ...posted, anew: true });
  if (sent.code === "used_up" || sent.code === "hour_used_up") {
    if (!sent.hasLast) return showSent(parts, visit, { ...posted, sent });
    return showOrder(parts, visit, { ...posted, codeStanding: "sent", faults: [LAST_CODE[sent.code]] });
  }
  if (sent.code === "under_way") return leadWithNewCode(parts, visit, posted);
  return withoutCode(parts, visit, { sent, own: posted }) ?? lead(visit);
}

/** Leads to the page, which says once that a new code is on its way. */
function leadWithNewCode(
  { signIn }: ApprovalParts,
  visit: ApprovalVisit,
  { session }: Pick<OwnForm, "session">,
): ApprovalAnswer {
  const location = approvalPath(visit);
  const done = doneCookie(signIn.formKey, { place: location, session }, { act: "code_sent", id: "" });
  return { show: "nothing", location, cookies: [done] };
}
