import { singleField } from "../forms/form-fields.ts";
import type { PostedForm } from "../forms/posted-form.ts";
import type { OpenPsuSession } from "../psu-session/psu-session.ts";
import type { SigningMove, SigningTerms, WaitingSigningRequest } from "../signing/signing-request.ts";
import type { Settled } from "../signing/signing-store.ts";
import { type ApprovalAnswer, type ApprovalParts, type ApprovalVisit, approvalPath } from "./approval.ts";
import { returnLink } from "./find-approval-asking.ts";
import { type FailedApproval, faultAt } from "./order-faults.ts";
import { actOf, findCodeStanding, type SignedInRequest } from "./send-code.ts";
import { type OpenApproval, type OrderState, showOrder } from "./show-approval.ts";

/** An order that can be decided, and a form that its own PSU has posted, bound to their session and to this order. */
export interface OwnForm extends OpenApproval, SignedInRequest {
  readonly session: OpenPsuSession;
  readonly fields: PostedForm["fields"];
}

/** Takes one kind of form of the order's own PSU. */
export type TakeOwnForm = (
  parts: ApprovalParts,
  visit: ApprovalVisit,
  posted: OwnForm,
) => Promise<ApprovalAnswer>;

/** Leads to the page itself, which shows where the order stands. */
export function lead(visit: ApprovalVisit): ApprovalAnswer {
  return { show: "nothing", location: approvalPath(visit) };
}

/** The host to which the page of the form said that it leads; empty for an application on the PSU's device. */
export function namedHost({ fields }: Pick<PostedForm, "fields">): string {
  return singleField(fields, "host");
}

/**
 * Leads back to the TPP, but only to the host that the PSU has read. Where the TPP has named another one since, the page itself
 * shows it, for the PSU to decide whether to go there.
 */
export function leadBack(
  visit: ApprovalVisit,
  { request, named }: { readonly request: SigningTerms; readonly named: string },
): ApprovalAnswer {
  const { href, host } = returnLink(request);
  return host === named ? { show: "nothing", location: href } : lead(visit);
}

/** A form that may move an order: `decide` says how, of its state under the lock; `passkey` is the one that has answered. */
export interface Deciding {
  readonly posted: OwnForm;
  readonly decide: (waiting: WaitingSigningRequest) => SigningMove;
  readonly passkey?: string | undefined;
}

/** Lets the PSU move the order. Undefined when the order is unknown. */
export function settle(
  { store, signIn }: ApprovalParts,
  visit: ApprovalVisit,
  { posted, decide, passkey }: Deciding,
): Promise<Settled | undefined> {
  const act = actOf(visit, posted, signIn.clock.now());
  return store.settle(posted.request.id, passkey === undefined ? act : { ...act, passkey }, decide);
}

/** Shows the form again with what was wrong. */
export async function again(
  parts: ApprovalParts,
  visit: ApprovalVisit,
  posted: OwnForm,
  failed: FailedApproval,
): Promise<ApprovalAnswer> {
  const codeStanding = await findCodeStanding(parts, posted);
  return showAgain(parts, visit, { ...posted, codeStanding, faults: [faultAt(codeStanding, failed)] });
}

/** Shows the page again; when neither a code nor a passkey approves here any more, leads to the page that says what does. */
export async function showAgain(
  parts: ApprovalParts,
  visit: ApprovalVisit,
  shown: OwnForm & OrderState,
): Promise<ApprovalAnswer> {
  const answer = await showOrder(parts, visit, shown);
  const hasPasskey = answer.show === "order" && answer.view.passkey !== undefined;
  return shown.codeStanding === "none_left" && !hasPasskey ? lead(visit) : answer;
}
