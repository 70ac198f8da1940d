/**
 * A sign-in before a page: of an authorization, of the PSU's own consents, of a payment. This folder owns the steps of a sign-in,
 * kept in the ephemeral store and bound to their browser and purpose. It does not own how a PSU proves who they are (the login
 * behind its port) nor what comes afterwards (`finish`).
 */
import type { KeyObject } from "node:crypto";
import type { Language } from "@cobs/cobs-model";
import type { Clock, IncomingCall } from "@cobs/service-edge";
import type { Asking, CancelForm, FormFault, MessageView } from "../pages/page-view.ts";
import type { PsuLogin, SignedIn } from "../psu/psu-login.ts";
import type { PsuSessions } from "../psu-session/psu-session.ts";
import type { SignInStepView } from "./sign-in-page.ts";
import type { SignInProgresses } from "./sign-in-progress.ts";
import type { SignInPurpose } from "./sign-in-purpose.ts";

/** What the steps are taken with. */
export interface SignInParts {
  /** Refuses a PSU whom the bank has blocked like a wrong password. */
  readonly login: PsuLogin;
  readonly progresses: SignInProgresses;
  readonly sessions: PsuSessions;
  readonly formKey: KeyObject;
  readonly clock: Clock;
}

/** A successful sign-in, with the id under which something may rest on it while it counts. */
export interface NamedSignIn extends SignedIn {
  readonly signIn: string;
  readonly authenticatedAt: Date;
}

/** A browser before a page that requires a sign-in; nothing about it is proven. */
export interface SignInVisit {
  readonly purpose: SignInPurpose;
  readonly call: Pick<IncomingCall, "header" | "requestId">;
  /** Our own origin, for the PSU to compare with the address bar. */
  readonly ownOrigin: string;
  /** Language of the page. */
  readonly language: Language;
  /** The TPP that asks; undefined before a page of the PSU's own. */
  readonly asking: () => Promise<Asking | undefined>;
  /** The way back to the application without an answer. */
  readonly cancel: CancelForm | undefined;
  /** When the request behind the sign-in stops waiting, whatever step it has come to; undefined when nothing waits. */
  readonly waitsUntil: Date | undefined;
  /** Called before a page that anybody can load keeps a new sign-in; it may refuse. */
  readonly admitNew?: (() => Promise<void>) | undefined;
  /** Gives the location after a successful sign-in. Called once for each sign-in. */
  readonly finish: (signedIn: NamedSignIn) => Promise<string>;
}

/** What the browser gets next; `cookies` are whole `Set-Cookie` lines. */
export type SignInResult = { readonly cookies?: readonly string[] } & (
  | { readonly show: "nothing"; readonly location: string }
  | { readonly show: "message"; readonly view: MessageView }
  | SignInStepView
);

/** What the page shows after an answer that did not lead on. */
export interface Again {
  /** The answer came after its step was gone: after its time, or after another answer to it (a button pressed twice). */
  readonly late?: "late" | "used" | undefined;
  readonly username: string;
  readonly faults: readonly FormFault[];
}
