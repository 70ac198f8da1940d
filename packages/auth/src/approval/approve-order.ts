import { singleField } from "../forms/form-fields.ts";
import { ASSERTION_FIELD } from "../psu/psu-login.ts";
import { isFresh } from "../psu-session/psu-session.ts";
import { judgeApproval } from "../signing/judge-approval.ts";
import type { ApprovalElement } from "../signing/signing-request.ts";
import type { ApprovalAnswer, ApprovalParts, ApprovalVisit } from "./approval.ts";
import type { FailedApproval } from "./order-faults.ts";
import { again, lead, type OwnForm, settle } from "./own-form.ts";
import { heldOff } from "./show-approval.ts";

const WRONG = { delivered_code: "code_wrong", passkey: "passkey_wrong" } as const;

/** Takes a code or passkey. An empty form, or an answer to an old question, is no try. */
export async function approveOrder(
  parts: ApprovalParts,
  visit: ApprovalVisit,
  posted: OwnForm,
): Promise<ApprovalAnswer> {
  const element = await findElement(parts, posted);
  if (element === "missing") return anew(parts, visit, posted, "code_missing");
  if (element === undefined) return lead(visit);
  if (element === "late") return lateAnswer(parts, visit, posted);
  return tryElement(parts, visit, posted, element);
}

/** The element that the form has, not judged yet; a passkey comes before a code. Undefined for an answer that was taken before. */
async function findElement(
  { passkeys, signIn }: ApprovalParts,
  posted: OwnForm,
): Promise<ApprovalElement | "missing" | "late" | undefined> {
  const code = singleField(posted.fields, "code");
  const assertion = singleField(posted.fields, ASSERTION_FIELD);
  if (assertion !== "") {
    const answered = { seal: singleField(posted.fields, "seal"), assertion };
    return passkeys?.take(posted, answered, signIn.clock.now());
  }
  return code.trim() === "" ? "missing" : { element: "delivered_code", code, browser: posted.browser };
}

/** Judges the element under the lock of the order, and shows what came of it. */
async function tryElement(
  parts: ApprovalParts,
  visit: ApprovalVisit,
  posted: OwnForm,
  element: ApprovalElement,
): Promise<ApprovalAnswer> {
  const attempt = { signedInBy: posted.session.methods, element };
  const decide = judgeApproval(parts.codeKey, attempt, parts.signIn.clock.now());
  const passkey = element.element === "passkey" ? element.proof?.passkey : undefined;
  const settled = await settle(parts, visit, { posted, decide, passkey });
  if (settled?.request.state !== "waiting") return lead(visit);
  const { request, move } = settled;
  if (settled.heldOff !== undefined)
    return heldOff(parts, visit, { until: settled.heldOff.until, own: posted });
  return move === undefined
    ? lead(visit)
    : again(parts, visit, { ...posted, request }, WRONG[element.element]);
}

/** Asks the passkey anew; after an older sign-in the page asks to sign in again instead. */
async function lateAnswer(
  parts: ApprovalParts,
  visit: ApprovalVisit,
  posted: OwnForm,
): Promise<ApprovalAnswer> {
  const isAsked = isFresh(posted.session, parts.signIn.clock.now());
  return isAsked ? anew(parts, visit, posted, "passkey_late") : lead(visit);
}

/** Shows the form again after what is no try, unless the PSU is held off: then whatever they sent would be refused. */
async function anew(
  parts: ApprovalParts,
  visit: ApprovalVisit,
  posted: OwnForm,
  failed: FailedApproval,
): Promise<ApprovalAnswer> {
  const found = await parts.store.findHoldOff(posted.request.psu, parts.signIn.clock.now());
  return found?.because === "failures"
    ? heldOff(parts, visit, { until: found.until, own: posted })
    : again(parts, visit, posted, failed);
}
