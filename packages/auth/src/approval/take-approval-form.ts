import { singleField } from "../forms/form-fields.ts";
import type { PostedForm } from "../forms/posted-form.ts";
import { requireOwnForm } from "../forms/require-own-form.ts";
import type { FormFault } from "../pages/page-view.ts";
import type { CodeStanding } from "../pages/signing-view.ts";
import { ASSERTION_FIELD } from "../psu/psu-login.ts";
import { doneCookie } from "../psu-session/done-cookie.ts";
import { isFresh, type OpenPsuSession } from "../psu-session/psu-session.ts";
import { takeSignInForm, takeSignInReturn } from "../sign-in/take-answer.ts";
import { judgeApproval } from "../signing/judge-approval.ts";
import { returnLocation } from "../signing/return-url.ts";
import type { ApprovalElement, SigningMove, WaitingSigningRequest } from "../signing/signing-request.ts";
import type { Settled } from "../signing/signing-store.ts";
import {
  type ApprovalAnswer,
  type ApprovalForm,
  type ApprovalParts,
  type ApprovalVisit,
  approvalPath,
} from "./approval.ts";
import { actOf, findCodeStanding, type SignedInRequest, sendCode } from "./send-code.ts";
import {
  findOpen,
  heldOff,
  type OpenApproval,
  orderBinding,
  showOrder,
  showSent,
  signInVisit,
  withoutCode,
} from "./show-approval.ts";

/** An order and its PSU, with the form that they have posted. */
interface Posted extends OpenApproval, SignedInRequest {
  readonly session: OpenPsuSession;
  readonly fields: PostedForm["fields"];
}

/**
 * Takes a posted form. A form for a request that is over (from an old tab, the back button, or a second press) changes nothing,
 * and leads to the page with the outcome. Refuses with `form_untrusted` or `form_malformed`.
 */
export async function takeApprovalForm(
  parts: ApprovalParts,
  visit: ApprovalVisit,
  { form, posted }: { readonly form: ApprovalForm | "sign-in"; readonly posted: PostedForm },
): Promise<ApprovalAnswer> {
  const open = await findOpen(parts, visit);
  if ("show" in open) return open.show === "outcome" ? lead(visit) : open;
  if (form === "sign-in") return takeSignInForm(parts.signIn, signInVisit(parts, visit, open), posted);
  if (form === "cancel") {
    requireForm(parts, visit, { form, posted, bound: [] });
    return { show: "nothing", location: returnLocation(open.request) };
  }
  const session = await parts.signIn.sessions.find(visit.call);
  if (session === undefined) return lead(visit);
  if (form === "sign-out") return signOut(parts, visit, { posted, session });
  if (session.psu !== open.request.psu) return lead(visit);
  const own = { request: open.request, browser: session.id };
  requireForm(parts, visit, { form, posted, bound: orderBinding(own) });
  const { authenticatedAt } = session;
  const taken = { ...open, ...own, authenticatedAt, session, fields: posted.fields };
  switch (form) {
    case "approve":
      return approve(parts, visit, taken);
    case "refuse":
      return refuse(parts, visit, taken);
    case "code":
      return newCode(parts, visit, taken);
  }
}

/** Leads to the page itself, which shows where the order stands. */
function lead(visit: ApprovalVisit): ApprovalAnswer {
  return { show: "nothing", location: approvalPath(visit) };
}

function requireForm(
  { signIn }: ApprovalParts,
  visit: ApprovalVisit,
  {
    form,
    posted,
    bound,
  }: { readonly form: ApprovalForm; readonly posted: PostedForm; readonly bound: readonly string[] },
): void {
  requireOwnForm(posted, signIn.formKey, [approvalPath(visit), form, ...bound]);
}

/** Signs out another PSU, so that the PSU of the order can sign in instead. */
async function signOut(
  parts: ApprovalParts,
  visit: ApprovalVisit,
  { posted, session }: { readonly posted: PostedForm; readonly session: OpenPsuSession },
): Promise<ApprovalAnswer> {
  requireForm(parts, visit, { form: "sign-out", posted, bound: [session.id] });
  const { cookies } = await parts.signIn.sessions.end(visit.call);
  return { show: "nothing", location: approvalPath(visit), cookies };
}

/** Takes a code or passkey. An empty form, or an answer to an old question, is no try. */
async function approve(parts: ApprovalParts, visit: ApprovalVisit, posted: Posted): Promise<ApprovalAnswer> {
  const code = singleField(posted.fields, "code");
  const assertion = singleField(posted.fields, ASSERTION_FIELD);
  if (code.trim() === "" && assertion === "") return anew(parts, visit, posted, "fault_bound_code_missing");
  const { clock } = parts.signIn;
  const element: ApprovalElement | "late" | undefined =
    assertion === ""
      ? { element: "delivered_code", code, browser: posted.browser }
      : await parts.passkeys?.take(
          posted,
          { seal: singleField(posted.fields, "seal"), assertion },
          clock.now(),
        );
  if (element === undefined) return lead(visit);
  if (element === "late") return lateAnswer(parts, visit, posted);
  const attempt = { signedInBy: posted.session.methods, element };
  const settled = await settle(parts, visit, {
    posted,
    decide: judgeApproval(parts.codeKey, attempt, clock.now()),
  });
  if (settled?.request.state !== "waiting") return lead(visit);
  const { request, move } = settled;
  if (settled.heldOff !== undefined) {
    return heldOff(parts, visit, { until: settled.heldOff.until, own: posted });
  }
  if (move === undefined) return lead(visit);
  return again(parts, visit, { ...posted, request }, WRONG[element.element]);
}

/** Asks the passkey anew; after an older sign-in the page asks to sign in again instead. */
async function lateAnswer(
  parts: ApprovalParts,
  visit: ApprovalVisit,
  posted: Posted,
): Promise<ApprovalAnswer> {
  const isAsked = isFresh(posted.session, parts.signIn.clock.now());
  return isAsked ? anew(parts, visit, posted, "fault_passkey_late") : lead(visit);
}

/** Shows the form again after what is no try, unless the PSU is held off: then whatever they sent would be refused. */
async function anew(
  parts: ApprovalParts,
  visit: ApprovalVisit,
  posted: Posted,
  fault: ApprovalFault,
): Promise<ApprovalAnswer> {
  const found = await parts.store.findHoldOff(posted.request.psu, parts.signIn.clock.now());
  return found?.because === "failures"
    ? heldOff(parts, visit, { until: found.until, own: posted })
    : again(parts, visit, posted, fault);
}

const WRONG = { delivered_code: "fault_bound_code_wrong", passkey: "fault_passkey_wrong" } as const;

/**
 * Refuses the order for good and sends the PSU back. An order that was approved meanwhile stays approved, and the page says so.
 */
async function refuse(parts: ApprovalParts, visit: ApprovalVisit, posted: Posted): Promise<ApprovalAnswer> {
  const decide = (): SigningMove => ({ move: "refuse", reason: "declined" });
  const settled = await settle(parts, visit, { posted, decide });
  if (settled?.request.state !== "refused") return lead(visit);
  return { show: "nothing", location: returnLocation(settled.request) };
}

/** Sends a new code, which an older sign-in does not earn. */
async function newCode(parts: ApprovalParts, visit: ApprovalVisit, posted: Posted): Promise<ApprovalAnswer> {
  if (!isFresh(posted.session, parts.signIn.clock.now())) return lead(visit);
  const sent = await sendCode(parts, visit, { ...posted, anew: true });
  if (sent.code === "used_up" || sent.code === "hour_used_up") {
    if (sent.hasLast) return withLastCode(parts, visit, posted, LAST_CODE[sent.code]);
    return showSent(parts, visit, { ...posted, sent });
  }
  const without = withoutCode(parts, visit, { sent, own: posted });
  if (without !== undefined || sent.code !== "under_way") return without ?? lead(visit);
  const here = { place: approvalPath(visit), session: posted.session };
  const cookies = [doneCookie(parts.signIn.formKey, here, { act: "code_sent", id: "" })];
  return { show: "nothing", location: approvalPath(visit), cookies };
}

const LAST_CODE = {
  used_up: "fault_codes_used_up",
  hour_used_up: "fault_codes_of_hour_used_up",
} as const;

function withLastCode(
  parts: ApprovalParts,
  visit: ApprovalVisit,
  posted: Posted,
  key: FormFault["key"],
): Promise<ApprovalAnswer> {
  return showOrder(parts, visit, { ...posted, codeStanding: "sent", faults: [{ key, field: "code" }] });
}

type ApprovalFault = "fault_bound_code_missing" | "fault_passkey_late" | (typeof WRONG)[keyof typeof WRONG];

const FIELDS = {
  fault_bound_code_missing: "code",
  fault_bound_code_wrong: "code",
  fault_passkey_wrong: "passkey",
  fault_passkey_late: "passkey",
} as const;

/** What the page says instead when there is no code to enter. */
const WITHOUT_CODE: Readonly<Partial<Record<ApprovalFault, FormFault["key"]>>> = {
  fault_bound_code_missing: "fault_bound_code_none",
  fault_passkey_wrong: "fault_passkey_wrong_alone",
};

/** Shows the form again; when neither a code nor a passkey approves here any more, leads to the page that says what does. */
async function again(
  parts: ApprovalParts,
  visit: ApprovalVisit,
  posted: Posted,
  fault: ApprovalFault,
): Promise<ApprovalAnswer> {
  const codeStanding = await findCodeStanding(parts, posted);
  const faults = [faultAt(codeStanding, fault)];
  const answer = await showOrder(parts, visit, { ...posted, codeStanding, faults });
  const hasPasskey = answer.show === "order" && answer.view.passkey !== undefined;
  return codeStanding === "none_left" && !hasPasskey ? lead(visit) : answer;
}

function faultAt(standing: CodeStanding, fault: ApprovalFault): FormFault {
  const field = FIELDS[fault];
  if (standing === "sent") return { key: fault, field };
  if (standing === "none_left" && field === "code") return { key: "fault_code_none", field: "passkey" };
  return { key: WITHOUT_CODE[fault] ?? fault, field };
}

function settle(
  { store, signIn }: ApprovalParts,
  visit: ApprovalVisit,
  {
    posted,
    decide,
  }: { readonly posted: Posted; readonly decide: (waiting: WaitingSigningRequest) => SigningMove },
): Promise<Settled | undefined> {
  return store.settle(posted.request.id, actOf(visit, posted, signIn.clock.now()), decide);
}

/** Takes the parameters with which a login at another site sends the browser back. */
export async function takeApprovalReturn(
  parts: ApprovalParts,
  visit: ApprovalVisit,
  parameters: URLSearchParams,
): Promise<ApprovalAnswer> {
  const open = await findOpen(parts, visit);
  if ("show" in open) return open.show === "outcome" ? lead(visit) : open;
  return takeSignInReturn(parts.signIn, signInVisit(parts, visit, open), parameters);
}
