import { singleField } from "../forms/form-fields.ts";
import type { PostedForm } from "../forms/posted-form.ts";
import { readShownFaults } from "../forms/read-shown-faults.ts";
import { isOwnForm, requireOwnForm } from "../forms/require-own-form.ts";
import type { FormFault } from "../pages/page-view.ts";
import { ASSERTION_FIELD } from "../psu/psu-login.ts";
import { findCookie, PSU_SESSION_COOKIE } from "../psu-session/cookie.ts";
import { doneCookie } from "../psu-session/done-cookie.ts";
import { isFresh, type OpenPsuSession } from "../psu-session/psu-session.ts";
import { endedCookies } from "../sign-in/sign-in-page.ts";
import { takeSignInForm, takeSignInReturn } from "../sign-in/take-answer.ts";
import { judgeApproval } from "../signing/judge-approval.ts";
import type {
  ApprovalElement,
  SigningMove,
  SigningTerms,
  WaitingSigningRequest,
} from "../signing/signing-request.ts";
import type { Settled } from "../signing/signing-store.ts";
import {
  type ApprovalAnswer,
  type ApprovalForm,
  type ApprovalParts,
  type ApprovalVisit,
  approvalPath,
} from "./approval.ts";
import { returnLink } from "./find-approval-asking.ts";
import { type FailedApproval, faultAt, faultsAt, LAST_CODE } from "./order-faults.ts";
import { actOf, findCodeStanding, type SignedInRequest, sendCode } from "./send-code.ts";
import {
  findOpen,
  heldOff,
  type OpenApproval,
  type OrderState,
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
    return leadBack(visit, { request: open.request, named: namedHost(posted) });
  }
  const session = await parts.signIn.sessions.find(visit.call);
  if (session === undefined) return leadToSignIn(parts, visit, { form, posted });
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
    case "language":
      return switchLanguage(parts, visit, taken);
  }
}

/** Leads to the page itself, which shows where the order stands. */
function lead(visit: ApprovalVisit): ApprovalAnswer {
  return { show: "nothing", location: approvalPath(visit) };
}

/**
 * Leads to the sign-in, which says that the form was not taken. A sign-out is taken after its session has ended too: the form is
 * bound to the id, which the browser still has.
 */
async function leadToSignIn(
  { signIn: { sessions, formKey } }: ApprovalParts,
  visit: ApprovalVisit,
  { form, posted }: { readonly form: ApprovalForm; readonly posted: PostedForm },
): Promise<ApprovalAnswer> {
  const location = approvalPath(visit);
  if (form !== "sign-out")
    return { show: "nothing", location, cookies: endedCookies({ kind: "signing", id: visit.id }, posted) };
  const id = findCookie(visit.call, PSU_SESSION_COOKIE);
  if (id === undefined || !isOwnForm(posted, formKey, [location, form, id]))
    return { show: "nothing", location };
  return { show: "nothing", location, ...(await sessions.end(visit.call)) };
}

/** The host to which the page of the form said that it leads; empty for an application on the PSU's device. */
function namedHost({ fields }: Pick<PostedForm, "fields">): string {
  return singleField(fields, "host");
}

/**
 * Leads back to the TPP, but only to the host that the PSU has read. Where the TPP has named another one since, the page itself
 * shows it, for the PSU to decide whether to go there.
 */
function leadBack(
  visit: ApprovalVisit,
  { request, named }: { readonly request: SigningTerms; readonly named: string },
): ApprovalAnswer {
  const { href, host } = returnLink(request);
  return host === named ? { show: "nothing", location: href } : lead(visit);
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
  if (code.trim() === "" && assertion === "") return anew(parts, visit, posted, "code_missing");
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
  return isAsked ? anew(parts, visit, posted, "passkey_late") : lead(visit);
}

/** Shows the form again after what is no try, unless the PSU is held off: then whatever they sent would be refused. */
async function anew(
  parts: ApprovalParts,
  visit: ApprovalVisit,
  posted: Posted,
  failed: FailedApproval,
): Promise<ApprovalAnswer> {
  const found = await parts.store.findHoldOff(posted.request.psu, parts.signIn.clock.now());
  return found?.because === "failures"
    ? heldOff(parts, visit, { until: found.until, own: posted })
    : again(parts, visit, posted, failed);
}

const WRONG = { delivered_code: "code_wrong", passkey: "passkey_wrong" } as const;

/**
 * Refuses the order for good and leads the PSU back. An order that was approved meanwhile stays approved, and the page says so.
 */
async function refuse(parts: ApprovalParts, visit: ApprovalVisit, posted: Posted): Promise<ApprovalAnswer> {
  const named = namedHost(posted);
  const decide = (): SigningMove => ({ move: "refuse", reason: "declined" });
  const settled = await settle(parts, visit, { posted, decide });
  if (settled?.request.state !== "refused") return lead(visit);
  return leadBack(visit, { request: settled.request, named });
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

function withLastCode(
  parts: ApprovalParts,
  visit: ApprovalVisit,
  posted: Posted,
  fault: FormFault,
): Promise<ApprovalAnswer> {
  return showOrder(parts, visit, { ...posted, codeStanding: "sent", faults: [fault] });
}

/** Shows the form again with what was wrong. */
async function again(
  parts: ApprovalParts,
  visit: ApprovalVisit,
  posted: Posted,
  failed: FailedApproval,
): Promise<ApprovalAnswer> {
  const codeStanding = await findCodeStanding(parts, posted);
  return showAgain(parts, visit, { ...posted, codeStanding, faults: [faultAt(codeStanding, failed)] });
}

/** Shows the page again; when neither a code nor a passkey approves here any more, leads to the page that says what does. */
async function showAgain(
  parts: ApprovalParts,
  visit: ApprovalVisit,
  shown: Posted & OrderState,
): Promise<ApprovalAnswer> {
  const answer = await showOrder(parts, visit, shown);
  const hasPasskey = answer.show === "order" && answer.view.passkey !== undefined;
  return shown.codeStanding === "none_left" && !hasPasskey ? lead(visit) : answer;
}

/**
 * Shows the page in another language, with what was wrong; nothing is tried, and nothing sent. Where something else is to be
 * shown by now, the page itself says what.
 */
async function switchLanguage(
  parts: ApprovalParts,
  visit: ApprovalVisit,
  posted: Posted,
): Promise<ApprovalAnswer> {
  const now = parts.signIn.clock.now();
  const found = await parts.store.findHoldOff(posted.request.psu, now);
  if (found?.because === "failures" || !isFresh(posted.session, now)) return lead(visit);
  const codeStanding = await findCodeStanding(parts, posted);
  const faults = readShownFaults(posted.fields, faultsAt(codeStanding));
  return faults.length === 0 ? lead(visit) : showAgain(parts, visit, { ...posted, codeStanding, faults });
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
