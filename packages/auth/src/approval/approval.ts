/**
 * The PSU's steps through one order: the sign-in, unless it was just done in this browser; the page of the order, with the
 * element that is bound to it; and the outcome. This folder decides from stored state which page comes next. It does not own the
 * states of a request (signing), how a PSU signs in (sign-in), or what the pages look like (pages).
 */
import type { KeyObject } from "node:crypto";
import type { Language } from "@cobs/cobs-model";
import type { IncomingCall, OnBehalf } from "@cobs/service-edge";
import type { ApplicationStore } from "../applications/application-store.ts";
import type { PsuAccounts } from "../bank/psu-accounts.ts";
import type { Deliver } from "../delivery/deliver.ts";
import type { MessageView } from "../pages/page-view.ts";
import type { WriteCodeText } from "../pages/signing-pages.ts";
import type { OrderView, OutcomeView } from "../pages/signing-view.ts";
import type { SignInParts, SignInResult, SignInVisit } from "../sign-in/sign-in.ts";
import { placeOf } from "../sign-in/sign-in-purpose.ts";
import type { SigningRequestId } from "../signing/signing-request-id.ts";
import type { SigningStore } from "../signing/signing-store.ts";
import type { StopList } from "../tpp/stop-list.ts";
import type { TppStore } from "../tpp/tpp-store.ts";
import type { OrderPasskeys } from "./order-passkeys.ts";

/** What approving needs. */
export interface ApprovalParts {
  readonly store: SigningStore;
  readonly applications: Pick<ApplicationStore, "findById">;
  readonly tpps: Pick<TppStore, "find">;
  readonly stopList: Pick<StopList, "findBlocked">;
  readonly psuAccounts: PsuAccounts;
  readonly signIn: SignInParts;
  readonly codeKey: KeyObject;
  readonly deliver: Deliver;
  readonly writeCodeText: WriteCodeText;
  /** Undefined when the pages cannot use passkeys. */
  readonly passkeys: OrderPasskeys | undefined;
  /** Path where the sandbox shows what it delivers; undefined elsewhere. */
  readonly inboxPath: ((psu: string) => string) | undefined;
}

/** A browser at the page of an order; nothing about it is proven. */
export interface ApprovalVisit {
  readonly id: SigningRequestId;
  readonly call: OnBehalf & Pick<IncomingCall, "header">;
  readonly ownOrigin: string;
  readonly language: Language;
  /** Called before a sign-in of this visit is kept. */
  readonly admitNew?: SignInVisit["admitNew"];
}

/** What the browser gets next. */
export type ApprovalAnswer =
  | SignInResult
  | { readonly show: "order"; readonly view: OrderView; readonly cookies?: readonly string[] }
  | { readonly show: "outcome"; readonly view: OutcomeView };

/** The forms of an order's page, besides that of the sign-in. */
export type ApprovalForm = "approve" | "refuse" | "code" | "language" | "cancel" | "sign-out";

/** The page of an order; every form of it is posted below, and every answer leads back to it. */
export function approvalPath({ id }: Pick<ApprovalVisit, "id">): string {
  return placeOf({ kind: "signing", id });
}

/** A page that only says why the order does not go on. */
export function message(view: MessageView): ApprovalAnswer {
  return { show: "message", view };
}

/** The page that says what became of an order, or why it is not decided here. */
export function outcome(view: OutcomeView): ApprovalAnswer {
  return { show: "outcome", view };
}
