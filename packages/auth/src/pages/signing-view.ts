import type { PasskeyAsking } from "../psu/psu-login.ts";
import type { OrderTexts } from "../signing/order.ts";
import type { Asking, FormFault, FormTarget, WayBackForm } from "./page-view.ts";
import type { signingEn } from "./texts/signing-en.ts";

/** Whether the amount of an order is exchanged into the currency of the account that pays. */
export type Exchange = "none" | "made" | "unknown";

/**
 * Where the code for an order stands in one browser:
 * - `sent`: a code that approves the order there has come, or is on its way
 * - `none`: no code approves it there, and another may be sent
 * - `none_left`: no code approves it there, and none can be sent
 */
export type CodeStanding = "sent" | "none" | "none_left";

/** The page on which a PSU approves an order or refuses it. */
export interface OrderView {
  readonly order: OrderTexts;
  readonly exchange: Exchange;
  readonly codeStanding: CodeStanding;
  /** Whether another code was sent just now. */
  readonly hasNewCode: boolean;
  readonly asking: Asking;
  /** When the request expires. */
  readonly waitUntil: Date;
  readonly form: FormTarget;
  readonly refuse: WayBackForm;
  /** Requests a new code. */
  readonly code: FormTarget;
  /** Shows the page again in another language. */
  readonly switchLanguage: FormTarget;
  /** Approves with a passkey instead; absent for a PSU without one. */
  readonly passkey?: { readonly asking: PasskeyAsking; readonly seal: string };
  /** Path where the sandbox shows what it delivers. */
  readonly inboxPath?: string;
  readonly faults: readonly FormFault[];
}

/** The page that says what became of an order, or why this PSU cannot decide it. */
export interface OutcomeView {
  readonly message: keyof typeof signingEn.messages;
  /** The PSU who is signed in, when the order is another PSU's. */
  readonly psuName?: string;
  readonly decidedAt?: Date;
  /** Shown only to the order's own PSU. */
  readonly order?: OrderTexts;
  /** Absent when the PSU must not be sent back. */
  readonly back?: { readonly href: string; readonly host: string };
  /** The way to another sign-in. */
  readonly signOut?: FormTarget;
  /** Refuses the order, while this PSU still can: that needs no code. */
  readonly refuse?: WayBackForm;
  /** Where the order can be tried again with GET. */
  readonly retryPath?: string;
  /** When approving is possible again. */
  readonly time?: Date;
}

/** What the sandbox has delivered, newest first. */
export interface InboxView {
  readonly messages: readonly { readonly text: string; readonly deliveredAt: Date }[];
}
