import type { AccountId, Scope } from "@cobs/cobs-model";
import type { IncomingCall } from "@cobs/service-edge";
import type { RegisteredApplication } from "../applications/application.ts";
import type { DatedSignIn, SignInOfPsu } from "../psu-session/psu-session.ts";
import type { KnownTpp } from "../tpp/tpp-store.ts";
import type { WayBack } from "./way-back.ts";

/** An authorization that waits for the PSU, as far as the pages need to know it. */
export interface PendingAuthorization {
  /** Names the interaction in the URL. */
  readonly uid: string;
  /** What is waited for. */
  readonly step: "sign-in" | "consent";
  /** Who asks, and for which TPP: both as this call has found them. */
  readonly application: RegisteredApplication;
  readonly tpp: KnownTpp;
  /** Where cancelling leads, for display; empty for an application on their device. */
  readonly redirectHost: string;
  /** What is asked, already limited to what the application registered and its TPP's last certificate allows. */
  readonly scopes: readonly Scope[];
  /** Those of them that the application has taken out of its registration since: nobody is asked for what could not be given. */
  readonly unregisteredScopes: readonly Scope[];
  /** The `ui_locales` of the request, unchecked. */
  readonly uiLocales: string | undefined;
  /** The sign-in of its own that it rests on, whether or not that counts still; set on step `consent`. */
  readonly signIn: SignInOfPsu | undefined;
  readonly authenticatedAt: Date | undefined;
  /** Where the PSU's answer to this step leads, when this call has found one given already, and has the session of it. */
  readonly answeredWith: string | undefined;
  /** When nothing waits any more. */
  readonly waitsUntil: Date;
}

/** What the PSU decided on the consent page; whether the accounts are theirs was checked by the page. */
export interface ConsentDecision {
  readonly accounts: readonly AccountId[];
  readonly services: readonly Scope[];
}

/** Names an authorization that a call has found to be its browser's own; nothing else may be completed. */
export type OwnAuthorization = Pick<PendingAuthorization, "uid">;

/**
 * The way from the pages to the OAuth provider. Each method that completes a step gives the location to which the
 * browser goes on with 303, and throws `PendingAuthorizationGone` when nothing waits any more: expired, already
 * answered, or begun in another browser.
 */
export interface PendingAuthorizations {
  /** Undefined when nothing waits for this browser: expired, finished, another browser's, cookies refused. */
  find(call: Pick<IncomingCall, "exchange" | "header">): Promise<PendingAuthorization | undefined>;
  /** The PSU was authenticated strongly, a moment ago. */
  completeSignIn(
    own: OwnAuthorization & { readonly exchange: IncomingCall["exchange"] },
    signIn: DatedSignIn,
  ): Promise<string>;
  /**
   * Stores the consent and its grant and ends earlier ones, in one transaction; of parallel calls exactly one succeeds. Once the
   * sign-in does not count any more, nothing waits. Where a scope was taken out of the registration while the form was being
   * taken, nothing is stored, and the location tells the application so, as {@link refuse} does.
   */
  completeConsent(
    own: OwnAuthorization & Pick<PendingAuthorization, "application"> & { readonly requestId: string },
    decision: ConsentDecision,
  ): Promise<string>;
  /**
   * Looks again where the PSU's answer to this step leads, when it was given meanwhile: a button that was pressed twice
   * sends the form twice, and the browser shows the second answer only. A browser that has not got the session which that sign-in
   * has opened is led to the page, which asks for another one. Stores nothing.
   */
  answered(
    own: OwnAuthorization & { readonly call: Pick<IncomingCall, "header"> },
  ): Promise<string | undefined>;
  /** The PSU goes back without a consent. */
  abort(own: OwnAuthorization, why: WayBack): Promise<string>;
  /** The application is told that it asks for what it has not registered any more (RFC 6749 4.1.2.1, `invalid_scope`). */
  refuse(own: OwnAuthorization & Pick<PendingAuthorization, "unregisteredScopes">): Promise<string>;
}

/** The authorization that a page belongs to does not wait any more. */
export class PendingAuthorizationGone extends Error {
  override readonly name = "PendingAuthorizationGone";

  constructor() {
    super("no authorization waits here");
  }
}
