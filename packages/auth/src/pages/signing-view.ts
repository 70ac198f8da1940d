import type { PasskeyAsking } from "../psu/psu-login.ts";
import type { OrderTexts } from "../signing/order.ts";
import type { Asking, FormFault, FormTarget } from "./page-view.ts";
import type { signingEn } from "./texts/signing-en.ts";

/** Whether the amount of an order is exchanged into the currency of the account that pays. */
export type Exchange = "none" | "made" | "unknown";

/**
 * Where the code for an order stands in one browser:
 * - `sent`: one that approves it there has come, or is on its way
 * - `none`: none approves it there, and another may be sent
 * - `none_left`: none approves it there, and none can be sent
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
  readonly refuse: FormTarget;
  /** For a new code. */
  readonly code: FormTarget;
  /** To approve with a passkey instead; absent for a PSU who has none. */
  readonly passkey?: { readonly asking: PasskeyAsking; readonly seal: string };
  /** Where the sandbox shows what it delivers. */
  readonly inboxPath?: string;
  readonly faults: readonly FormFault[];
}

/** The page that says what became of an order, or why this PSU cannot decide it. */
export interface OutcomeView {
  readonly message: keyof typeof signingEn.messages;
  /** Who is signed in, where the order is somebody else's. */
  readonly psuName?: string;
  readonly decidedAt?: Date;
  /** For its own PSU alone. */
  readonly order?: OrderTexts;
  /** Absent where nobody is sent back any more. */
  readonly back?: { readonly href: string; readonly host: string };
  /** The way to another sign-in. */
  readonly signOut?: FormTarget;
  /** Where this PSU still can: refusing needs no code. */
  readonly refuse?: FormTarget;
  /** Where the order can be tried again with GET. */
  readonly retryPath?: string;
  /** When approving is possible again. */
  readonly time?: Date;
}

/** What the sandbox has delivered, newest first. */
export interface InboxView {
  readonly messages: readonly { readonly text: string; readonly deliveredAt: Date }[];
}
