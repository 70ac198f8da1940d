import { formToken } from "../forms/form-token.ts";
import type { Asking, FormFault, FormTarget } from "../pages/page-view.ts";
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
import { findApprovalAsking, wayBack } from "./find-approval-asking.ts";
import { type OwnRequest, sendCode } from "./send-code.ts";

/** Waiting, and its TPP may still ask. */
export interface OpenApproval {
  readonly request: WaitingSigningRequest;
  readonly asking: Asking;
}

/** The page that comes next, decided from what is stored alone. */
export async function showApproval(parts: ApprovalParts, visit: ApprovalVisit): Promise<ApprovalAnswer> {
  const open = await findOpen(parts, visit);
  if ("show" in open) return open;
  const session = await parts.signIn.sessions.find(visit.call);
  const own = requireOwn(parts, visit, { open, session });
  if (own === "sign-in") return showSignIn(parts.signIn, signInVisit(parts, visit, open));
  if ("show" in own) return own;
  const sent = await sendCode(parts, visit, { ...own, anew: false });
  switch (sent) {
    case "over":
      return { show: "nothing", location: approvalPath(visit) };
    case "used_up":
      return outcome({ message: "signing_codes_used_up", back: wayBack(open.request) });
    case "undelivered":
      return showOrder(parts, visit, { ...open, ...own, faults: [UNDELIVERED] });
    case "under_way":
      return showOrder(parts, visit, { ...open, ...own, faults: [] });
  }
}

const UNDELIVERED: FormFault = { key: "fault_code_undelivered", field: "code" };

/** What the visit is about, while it can be decided; else the page that says why not. */
export async function findOpen(
  parts: ApprovalParts,
  visit: ApprovalVisit,
): Promise<OpenApproval | ApprovalAnswer> {
  const request = await parts.store.find(visit.id, parts.signIn.clock.now());
  if (request === undefined) return message({ message: "signing_unknown" });
  if (request.state !== "waiting") return showOutcome(parts, visit, request);
  const { organisationIdentifier } = request;
  const isBlocked = await parts.stopList.findBlocked({ organisationIdentifier, thumbprint: undefined });
  if (isBlocked !== undefined) return message({ message: "tpp_blocked" });
  const asking = await findApprovalAsking(parts, request);
  return asking === undefined ? message({ message: "signing_withdrawn" }) : { request, asking };
}

/** What an order says is shown to its own PSU alone, afterwards too. */
async function showOutcome(
  parts: ApprovalParts,
  visit: ApprovalVisit,
  request: Exclude<SigningRequest, { readonly state: "waiting" }>,
): Promise<ApprovalAnswer> {
  const session = await parts.signIn.sessions.find(visit.call);
  const key = request.state === "refused" ? request.reason : request.state;
  const own = session?.psu === request.psu ? { order: request.order.says } : {};
  const { decidedAt } = request;
  return outcome({ message: `signing_${key}`, decidedAt, back: wayBack(request), ...own });
}

/** The PSU of the request, authenticated strongly at most five minutes ago in this browser; nobody else goes on. */
export function requireOwn(
  parts: ApprovalParts,
  visit: ApprovalVisit,
  { open, session }: { readonly open: OpenApproval; readonly session: OpenPsuSession | undefined },
): OwnRequest | "sign-in" | ApprovalAnswer {
  const { request } = open;
  if (session === undefined) return "sign-in";
  if (session.psu !== request.psu) {
    const signOut = approvalForm(parts, visit, { form: "sign-out", bound: [session.id] });
    return outcome({ message: "signing_other_psu", signOut, back: wayBack(request) });
  }
  return isFresh(session, parts.signIn.clock.now()) ? { request, browser: session.id } : "sign-in";
}

/** The page with the order as it was ordered. */
export async function showOrder(
  parts: ApprovalParts,
  visit: ApprovalVisit,
  { request, asking, browser, faults }: OpenApproval & OwnRequest & { readonly faults: readonly FormFault[] },
): Promise<ApprovalAnswer> {
  const bound = orderBinding({ request, browser });
  const form = (name: ApprovalForm) => approvalForm(parts, visit, { form: name, bound });
  const inboxPath = parts.inboxPath?.(request.psu);
  const passkey = await parts.passkeys?.ask({ request, browser }, parts.signIn.clock.now());
  const view = {
    order: request.order.says,
    asking,
    waitUntil: request.expiresAt,
    form: form("approve"),
    refuse: form("refuse"),
    code: form("code"),
    ...(inboxPath !== undefined && { inboxPath }),
    ...(passkey && { passkey }),
    faults,
  };
  return { show: "order", view };
}

/** What the forms of an order's page belong to: a form that was rendered for other bytes is none of theirs. */
export function orderBinding({ request, browser }: OwnRequest): readonly string[] {
  return [browser, request.order.digest.toString("base64url")];
}

/** Where a form is posted to, with its token. */
export function approvalForm(
  { signIn }: ApprovalParts,
  visit: ApprovalVisit,
  { form, bound }: { readonly form: ApprovalForm; readonly bound: readonly string[] },
): FormTarget {
  const path = approvalPath(visit);
  return { action: `${path}/${form}`, token: formToken(signIn.formKey, [path, form, ...bound]) };
}

/** The sign-in before an order; cancelling it decides nothing, because nobody has proven to be the PSU. */
export function signInVisit(
  parts: ApprovalParts,
  visit: ApprovalVisit,
  { request, asking }: OpenApproval,
): SignInVisit {
  const cancel = approvalForm(parts, visit, { form: "cancel", bound: [] });
  return {
    purpose: { kind: "signing", id: visit.id },
    call: visit.call,
    ownOrigin: visit.ownOrigin,
    asking: async () => asking,
    cancel: { ...cancel, host: wayBack(request).host },
    finish: async () => approvalPath(visit),
  };
}
