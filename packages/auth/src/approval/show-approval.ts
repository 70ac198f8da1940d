import { formToken } from "../forms/form-token.ts";
import type { Asking, CancelForm, FormFault, FormTarget } from "../pages/page-view.ts";
import type { CodeStanding } from "../pages/signing-view.ts";
import { findDone, forgetDone } from "../psu-session/done-cookie.ts";
import { isFresh, type OpenPsuSession } from "../psu-session/psu-session.ts";
import { showSignIn } from "../sign-in/show-sign-in.ts";
import type { SignInVisit } from "../sign-in/sign-in.ts";
import type { SigningRequest, WaitingSigningRequest } from "../signing/signing-request.ts";
import {
  type ApprovalAnswer,
  type ApprovalForm,
  type ApprovalParts,
  type ApprovalVisit,
  approvalPath,
  message,
  outcome,
} from "./approval.ts";
import { findApprovalAsking, findReturnLink, returnLink } from "./find-approval-asking.ts";
import { findExchange } from "./find-exchange.ts";
import { NO_CODE_LEFT, UNDELIVERED } from "./order-faults.ts";
import { type CodeOutcome, type OwnRequest, type SignedInRequest, sendCode } from "./send-code.ts";

/** A waiting request whose TPP may still ask. */
export interface OpenApproval {
  readonly request: WaitingSigningRequest;
  readonly asking: Asking;
}

/** Shows the page that comes next, decided from stored state alone. */
export async function showApproval(parts: ApprovalParts, visit: ApprovalVisit): Promise<ApprovalAnswer> {
  const open = await findOpen(parts, visit);
  if ("show" in open) return open;
  const session = await parts.signIn.sessions.find(visit.call);
  const own = await requireOwn(parts, visit, { open, session });
  if (own === "sign-in") return showSignIn(parts.signIn, signInVisit(parts, visit, open));
  if ("show" in own) return own;
  const sent = await sendCode(parts, visit, { ...own, anew: false });
  if (sent.code === "over") return { show: "nothing", location: approvalPath(visit) };
  return showSent(parts, visit, { ...open, ...own, sent });
}

/** Shows the page of an order after an attempt to send a code; it says so when this browser has no code. */
export async function showSent(
  parts: ApprovalParts,
  visit: ApprovalVisit,
  { sent, ...own }: OpenApproval & SignedInRequest & { readonly sent: CodeOutcome },
): Promise<ApprovalAnswer> {
  if (sent.code === "held_off") return heldOff(parts, visit, { until: sent.until, own });
  const order = await showOrder(parts, visit, { ...own, ...(NO_CODE[sent.code] ?? HAS_CODE) });
  // A PSU with a passkey needs no code.
  const needsCode = order.show !== "order" || order.view.passkey === undefined;
  return (needsCode && withoutCode(parts, visit, { sent, own })) || order;
}

/** What the page of an order says about its code, and the faults on it. */
export interface OrderState {
  readonly codeStanding: CodeStanding;
  readonly faults: readonly FormFault[];
}

const HAS_CODE: OrderState = { codeStanding: "sent", faults: [] };
const NONE_LEFT: OrderState = { codeStanding: "none_left", faults: [NO_CODE_LEFT] };

/** Shown beside the passkey that the PSU can use instead; a PSU without one sees a separate page. */
const NO_CODE: Readonly<Partial<Record<CodeOutcome["code"], OrderState>>> = {
  undelivered: { codeStanding: "none", faults: [UNDELIVERED] },
  used_up: NONE_LEFT,
  hour_used_up: NONE_LEFT,
};

/** The page that says why there is no code, and when there may be one; the order can still be refused there. */
export function withoutCode(
  parts: ApprovalParts,
  visit: ApprovalVisit,
  { sent, own }: { readonly sent: CodeOutcome; readonly own: OwnRequest },
): ApprovalAnswer | undefined {
  switch (sent.code) {
    case "used_up":
      return outcome({ message: "signing_codes_used_up", ...undecided(parts, visit, own) });
    case "undelivered":
      return outcome({
        message: "signing_code_undelivered",
        retryPath: approvalPath(visit),
        ...undecided(parts, visit, own),
      });
    case "hour_used_up":
    case "held_off":
      return heldOff(parts, visit, { until: sent.until, own });
    default:
      return undefined;
  }
}

/** The page for a PSU with too many wrong codes or passkeys, or too many codes sent, over all orders. */
export function heldOff(
  parts: ApprovalParts,
  visit: ApprovalVisit,
  { until: time, own }: { readonly until: Date; readonly own: OwnRequest },
): ApprovalAnswer {
  const retryPath = approvalPath(visit);
  return outcome({ message: "signing_held_off", time, retryPath, ...undecided(parts, visit, own) });
}

/** What a page shows of an order that still waits but cannot be approved now. */
function undecided(parts: ApprovalParts, visit: ApprovalVisit, own: OwnRequest) {
  const back = returnLink(own.request);
  const refuse = approvalForm(parts, visit, { form: "refuse", bound: orderBinding(own) });
  return { order: own.request.order.says, refuse: { ...refuse, namedHost: back.host }, back };
}

/** Finds the order of the visit while it can be decided; otherwise gives the page that says why not. */
export async function findOpen(
  parts: ApprovalParts,
  visit: ApprovalVisit,
): Promise<OpenApproval | ApprovalAnswer> {
  const request = await parts.store.find(visit.id, parts.signIn.clock.now());
  if (request === undefined) return message({ message: "signing_unknown" });
  // A consent may have ended together with its TPP or application, to which no PSU is sent back.
  const hasConsentEnded = request.state === "cancelled" && request.because === "consent_ended";
  if (request.state !== "waiting" && !hasConsentEnded) return showOutcome(parts, visit, request);
  const { organisationIdentifier } = request;
  const blocked = await parts.stopList.findBlocked({ organisationIdentifier, thumbprint: undefined });
  if (blocked !== undefined) return message({ message: "signing_tpp_blocked" });
  const asking = await findApprovalAsking(parts, request);
  if (asking === undefined) return message({ message: "signing_withdrawn" });
  if (request.state !== "waiting") return showOutcome(parts, visit, request);
  // A job will write that state; until then the order waits, and cannot be decided.
  if ((await parts.store.findConsentEnd(request)) !== "expired") return { request, asking };
  const back = await findReturnLink(parts, request);
  return outcome({ message: "signing_consent_ended", ...(back && { back }) });
}

/** Shows what became of an order. Only its own PSU ever sees what the order says; the way back is checked again. */
async function showOutcome(
  parts: ApprovalParts,
  visit: ApprovalVisit,
  request: Exclude<SigningRequest, { readonly state: "waiting" }>,
): Promise<ApprovalAnswer> {
  const [session, back] = await Promise.all([
    parts.signIn.sessions.find(visit.call),
    findReturnLink(parts, request),
  ]);
  const key = keyOfOutcome(request);
  const own = session?.psu === request.psu ? { order: request.order.says } : {};
  const { decidedAt } = request;
  return outcome({ message: `signing_${key}`, decidedAt, ...(back && { back }), ...own });
}

function keyOfOutcome(request: Exclude<SigningRequest, { readonly state: "waiting" }>) {
  if (request.state === "refused") return request.reason;
  return request.state === "cancelled" ? (request.because ?? request.state) : request.state;
}

/** Requires the PSU of the request, authenticated strongly at most five minutes ago in this browser; nobody else goes on. */
async function requireOwn(
  parts: ApprovalParts,
  visit: ApprovalVisit,
  { open, session }: { readonly open: OpenApproval; readonly session: OpenPsuSession | undefined },
): Promise<SignedInRequest | "sign-in" | ApprovalAnswer> {
  const { request } = open;
  if (session === undefined) return "sign-in";
  if (session.psu !== request.psu) {
    const signOut = approvalForm(parts, visit, { form: "sign-out", bound: [session.id] });
    const psuName = (await parts.signIn.login.find(session.psu))?.displayName ?? session.psu;
    return outcome({ message: "signing_other_psu", psuName, signOut, back: returnLink(request) });
  }
  const { id: browser, authenticatedAt } = session;
  return isFresh(session, parts.signIn.clock.now()) ? { request, browser, authenticatedAt } : "sign-in";
}

/** Shows the page with the order as the TPP sent it. */
export async function showOrder(
  parts: ApprovalParts,
  visit: ApprovalVisit,
  { request, asking, faults, codeStanding, ...own }: OpenApproval & SignedInRequest & OrderState,
): Promise<ApprovalAnswer> {
  const { browser } = own;
  const bound = orderBinding({ request, browser });
  const form = (name: ApprovalForm) => approvalForm(parts, visit, { form: name, bound });
  const inboxPath = parts.inboxPath?.(request.psu);
  const now = parts.signIn.clock.now();
  // An older sign-in earns no further challenge, for whatever reason this page is shown again.
  const asked = isFresh(own, now) ? parts.passkeys?.ask({ request, browser }, now) : undefined;
  const { psu, order } = request;
  const exchanging = findExchange(parts.psuAccounts, { psu, says: order.says }, visit.call);
  const [passkey, exchange] = await Promise.all([asked, exchanging]);
  const here = { place: approvalPath(visit), session: { id: browser } };
  const hasNewCode =
    faults.length === 0 && findDone(parts.signIn.formKey, here, visit.call)?.act === "code_sent";
  const view = {
    order: order.says,
    hasNewCode,
    exchange,
    codeStanding,
    asking,
    waitUntil: request.expiresAt,
    form: form("approve"),
    refuse: { ...form("refuse"), namedHost: asking.redirectHost },
    code: form("code"),
    switchLanguage: form("language"),
    ...(inboxPath !== undefined && { inboxPath }),
    ...(passkey && { passkey }),
    faults,
  };
  return { show: "order", view, ...(hasNewCode && { cookies: [forgetDone(here)] }) };
}

/** What the forms of an order's page are bound to: a form that was rendered for other bytes is refused. */
export function orderBinding({ request, browser }: OwnRequest): readonly string[] {
  return [browser, request.order.digest.toString("base64url")];
}

/** Where a form is posted to, with its token. */
function approvalForm(
  { signIn }: ApprovalParts,
  visit: ApprovalVisit,
  { form, bound }: { readonly form: ApprovalForm; readonly bound: readonly string[] },
): FormTarget {
  const path = approvalPath(visit);
  return { action: `${path}/${form}`, token: formToken(signIn.formKey, [path, form, ...bound]) };
}

/** The sign-in before an order. Cancelling it decides nothing, because nobody has proven to be the PSU. */
export function signInVisit(parts: ApprovalParts, visit: ApprovalVisit, open: OpenApproval): SignInVisit {
  return {
    purpose: { kind: "signing", id: visit.id },
    call: visit.call,
    ownOrigin: visit.ownOrigin,
    language: visit.language,
    asking: async () => open.asking,
    cancel: cancelForm(parts, visit, open),
    waitsUntil: open.request.expiresAt,
    admitNew: visit.admitNew,
    finish: async () => approvalPath(visit),
  };
}

/** The form that leads back to the TPP, with nothing decided. */
function cancelForm(parts: ApprovalParts, visit: ApprovalVisit, { request }: OpenApproval): CancelForm {
  const target = approvalForm(parts, visit, { form: "cancel", bound: [] });
  const { host } = returnLink(request);
  return { ...target, host, namedHost: host };
}
