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
  /** What the authorization waits for. */
  readonly step: "sign-in" | "consent";
  /** The application that asks, and its TPP, both as found in this call. */
  readonly application: RegisteredApplication;
  readonly tpp: KnownTpp;
  /** Where cancelling leads, for display; empty for an application on the PSU's device. */
  readonly redirectHost: string;
  /** The requested scopes, limited to what the application registered and its TPP's last certificate allows. */
  readonly scopes: readonly Scope[];
  /**
   * Those of them that the application has since removed from its registration: a PSU is not asked for what could not be given.
   */
  readonly unregisteredScopes: readonly Scope[];
  /** The `ui_locales` of the request, unchecked. */
  readonly uiLocales: string | undefined;
  /** The authorization's own sign-in, whether or not it still counts; set on step `consent`. */
  readonly signIn: SignInOfPsu | undefined;
  readonly authenticatedAt: Date | undefined;
  /** Where the PSU's answer to this step leads, when it was given already and this browser has its session. */
  readonly answeredWith: string | undefined;
  /** When the authorization stops waiting. */
  readonly waitsUntil: Date;
}

/** What the PSU decided on the consent page, which has checked that the accounts are theirs. */
export interface ConsentDecision {
  readonly accounts: readonly AccountId[];
  readonly services: readonly Scope[];
}

/** Names an authorization that a call has found to be its browser's own; only such a one may be completed. */
export type OwnAuthorization = Pick<PendingAuthorization, "uid">;

/**
 * The way from the pages to the OAuth provider. Each method that completes a step gives the location to which the browser goes on
 * with 303. It throws `PendingAuthorizationGone` when nothing waits any more: expired, already answered, or begun in another
 * browser.
 */
export interface PendingAuthorizations {
  /** Undefined when nothing waits for this browser: expired, finished, another browser's, cookies refused. */
  find(call: Pick<IncomingCall, "exchange" | "header">): Promise<PendingAuthorization | undefined>;
  /** Records that the PSU was just authenticated strongly. */
  completeSignIn(
    own: OwnAuthorization & { readonly exchange: IncomingCall["exchange"] },
    signIn: DatedSignIn,
  ): Promise<string>;
  /**
   * Stores the consent and its grant and ends earlier ones, in one transaction; of parallel calls exactly one succeeds. Nothing
   * waits once the sign-in no longer counts. If a scope was removed from the registration while the form was being taken, nothing
   * is stored, and the location tells the application so, as {@link refuse} does.
   */
  completeConsent(
    own: OwnAuthorization & Pick<PendingAuthorization, "application"> & { readonly requestId: string },
    decision: ConsentDecision,
  ): Promise<string>;
  /**
   * Looks again where the PSU's answer to this step leads, if it was given meanwhile: a button that is pressed twice sends the
   * form twice, and the browser shows only the second response. A browser without the session that this sign-in opened is led to
   * the page, which asks for another sign-in. Stores nothing.
   */
  answered(
    own: OwnAuthorization & { readonly call: Pick<IncomingCall, "header"> },
  ): Promise<string | undefined>;
  /** Ends the authorization without a consent. */
  abort(own: OwnAuthorization, why: WayBack): Promise<string>;
  /** Tells the application that it asks for what it has no longer registered (RFC 6749 4.1.2.1, `invalid_scope`). */
  refuse(own: OwnAuthorization & Pick<PendingAuthorization, "unregisteredScopes">): Promise<string>;
}

/** The authorization that a page belongs to no longer waits. */
export class PendingAuthorizationGone extends Error {
  override readonly name = "PendingAuthorizationGone";

  constructor() {
    super("this authorization is no longer pending");
  }
}
