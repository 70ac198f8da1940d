/**
 * The PSU's way from an authorization request to a consent. This folder owns the order of its steps and what each requires to be
 * proven. It does not own how the OAuth provider stores the way (the wall does), nor what the pages look like. Steps do not lead
 * to each other: each ends at the provider, which calls the dispatcher again, and that decides from stored state.
 */

import type { Language } from "@cobs/cobs-model";
import type { IncomingCall, OnBehalf } from "@cobs/service-edge";
import type { PsuAccounts } from "../bank/psu-accounts.ts";
import type { ConsentStore } from "../consent/consent-store.ts";
import type { ConsentView } from "../pages/page-view.ts";
import type { PsuBlocks } from "../psu-block/psu-blocks.ts";
import type { DatedSignIn } from "../psu-session/psu-session.ts";
import type { SignInParts, SignInResult, SignInVisit } from "../sign-in/sign-in.ts";
import type { ConsentDecision, PendingAuthorization } from "./pending-authorization.ts";
import type { WayBack } from "./way-back.ts";

/** What the steps read and decide with. */
export interface JourneyParts extends SignInParts {
  readonly consents: Pick<ConsentStore, "findPresent" | "findGiven">;
  readonly psuAccounts: PsuAccounts;
  /** A consent is not taken from a PSU whom the bank has blocked meanwhile. */
  readonly blocks: Pick<PsuBlocks, "admits">;
  readonly consentLifetimeDays: number;
}

/** A PSU's browser at a pending authorization that is its own; nothing else about it is proven. */
export interface Visit {
  readonly pending: PendingAuthorization;
  readonly call: OnBehalf & Pick<IncomingCall, "header">;
  /** Our own origin, for the PSU to compare with the address bar. */
  readonly ownOrigin: string;
  /** Language of the page. */
  readonly language: Language;
  /** Called before a sign-in of this visit is kept. */
  readonly admitNew?: SignInVisit["admitNew"];
  /** The ways on, each giving the location to go to, and the one that was taken already, if any. */
  readonly finish: {
    answered(): Promise<string | undefined>;
    signIn(signIn: DatedSignIn): Promise<string>;
    consent(decision: ConsentDecision): Promise<string>;
    goBack(why: WayBack): Promise<string>;
    refuse(): Promise<string>;
  };
}

/** What the browser gets next. */
export type JourneyAnswer = SignInResult | { readonly show: "consent"; readonly view: ConsentView };
