/**
 * A sign-in before a page: of an authorization, of the PSU's own consents, of a payment. This folder owns the steps of one,
 * kept in the ephemeral store, bound to their browser and to what they are for; it does not own how a PSU proves who they
 * are (the login behind its port) nor what comes afterwards (`finish`).
 */
import type { KeyObject } from "node:crypto";
import type { Language } from "@cobs/cobs-model";
import type { Clock, IncomingCall } from "@cobs/service-edge";
import type { Asking, FormFault, FormTarget, MessageView } from "../pages/page-view.ts";
import type { PsuLogin, SignedIn } from "../psu/psu-login.ts";
import type { PsuSessions } from "../psu-session/psu-session.ts";
import type { SignInStepView } from "./sign-in-page.ts";
import type { SignInProgresses } from "./sign-in-progress.ts";
import type { SignInPurpose } from "./sign-in-purpose.ts";

/** What the steps are taken with. */
export interface SignInParts {
  /** It refuses whom the bank has blocked like a wrong password. */
  readonly login: PsuLogin;
  readonly progresses: SignInProgresses;
  readonly sessions: PsuSessions;
  readonly formKey: KeyObject;
  readonly clock: Clock;
}

/** A good sign-in, with the id under which something may rest on it for as long as it counts. */
export interface NamedSignIn extends SignedIn {
  readonly signIn: string;
  readonly authenticatedAt: Date;
}

/** A browser that stands before a page for which somebody has to sign in; nothing about it is proven. */
export interface SignInVisit {
  readonly purpose: SignInPurpose;
  readonly call: Pick<IncomingCall, "header" | "requestId">;
  /** Our own origin, for the PSU to compare with the address bar. */
  readonly ownOrigin: string;
  /** Of the page. */
  readonly language: Language;
  /** Who asks; undefined before a page of the PSU's own. */
  readonly asking: () => Promise<Asking | undefined>;
  /** The way back to the application without an answer. */
  readonly cancel: (FormTarget & { readonly host: string }) | undefined;
  /** When that which it is for waits no longer, whatever step it has come to; undefined where nothing waits. */
  readonly waitsUntil: Date | undefined;
  /** Asked before a page that anybody can load keeps a new sign-in; it may refuse. */
  readonly admitNew?: (() => Promise<void>) | undefined;
  /** Where a good sign-in leads. It runs once for each sign-in. */
  readonly finish: (signedIn: NamedSignIn) => Promise<string>;
}

/** What the browser gets next; `cookies` are whole `Set-Cookie` lines. */
export type SignInResult = { readonly cookies?: readonly string[] } & (
  | { readonly show: "nothing"; readonly location: string }
  | { readonly show: "message"; readonly view: MessageView }
  | SignInStepView
);

/** What is shown anew after an answer that did not lead on. */
export interface Again {
  /** Whether that came when its step was gone, so that nothing of it was looked at. */
  readonly isLate?: boolean;
  readonly username: string;
  readonly faults: readonly FormFault[];
}
