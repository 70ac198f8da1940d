import type { Application, Language, Scope } from "@cobs/cobs-model";
import type { PsuAccount } from "../bank/psu-accounts.ts";
import type { Consent } from "../consent/consent.ts";
import type { WayBackReason } from "../journey/way-back.ts";
import type { Passkey } from "../psu/passkeys/passkey.ts";
import type { PasskeyAsking, Psu } from "../psu/psu-login.ts";
import type { SignInPurpose } from "../sign-in/sign-in-purpose.ts";
import type { KnownTpp } from "../tpp/tpp-store.ts";
import type { AccountListFilter } from "./account-list.ts";
import type { Fillings, MessageKey, PhraseKey } from "./texts/texts.ts";

/** What every page of one response shares. */
export interface PageFrame {
  readonly language: Language;
  /** The path for the links of the language switch; undefined when reading the page again makes no sense. */
  readonly switchPath?: string;
}

/** The TPP that asks, with texts as their owners wrote them. */
export interface Asking {
  readonly tpp: Pick<KnownTpp, "organisationIdentifier" | "organisationName" | "authority">;
  /** Its name is its own claim. */
  readonly application: Pick<Application, "clientName" | "localizedNames">;
  /** Where the browser goes afterwards, whichever way the PSU decides; empty for an application on their device. */
  readonly redirectHost: string;
}

/** A form's target and the proof that we rendered it. */
export interface FormTarget {
  readonly action: string;
  readonly token: string;
}

/** A form that leads to the host that its page names; it brings the name back, so that it leads to no other one. */
export interface WayBackForm extends FormTarget {
  /** As `redirectHostOf` gives it. */
  readonly namedHost: string;
}

/** The form that leads back to the application, with nothing decided; it brings `host` back where that may change. */
export type CancelForm = (FormTarget | WayBackForm) & { readonly host: string };

/** A fault in a form, with the element it concerns. */
export interface FormFault {
  readonly key: PhraseKey;
  /** The id of the element that the summary links to. */
  readonly field: string;
  /** Whether the fault concerns the whole form; the element is then only where to begin. */
  readonly isOfForm?: boolean;
}

/** What the pages of a sign-in share. */
export interface SignInFrame {
  /** Undefined before a page of the PSU's own. */
  readonly asking: Asking | undefined;
  /** Our own origin, which the PSU should find in the address bar where they sign in; undefined when that is another site. */
  readonly origin: string | undefined;
  readonly form: FormTarget;
  readonly cancel: CancelForm | undefined;
  readonly faults: readonly FormFault[];
}

/** The page on which a PSU proves who they are. */
export interface SignInView extends SignInFrame {
  /** What the sign-in is for; in an authorization and a payment, a TPP asks. */
  readonly purpose: SignInPurpose["kind"];
  /**
   * Why the sign-in begins anew, if it does: `ended`, somebody was signed in here whose sign-in no longer counts for this;
   * `late`, a page of a sign-in was sent too late; `used`, it was sent again, or after a sign-out.
   */
  readonly anew: "ended" | "late" | "used" | undefined;
  /**
   * When a sign-in is in vain, because the authorization behind it has ended; undefined where the PSU could sign in again.
   */
  readonly signInBy: Date | undefined;
  /** As typed before, for another try; empty at first. */
  readonly username: string;
  /** What a browser asks passkeys; absent when there are none. */
  readonly passkey?: PasskeyAsking;
}

/** The page on which a PSU enters a secret into an authenticator app. */
export interface EnrolmentView extends SignInFrame {
  /** The content of the QR code, and the target of a link on the device that shows the page. */
  readonly uri: string;
  /** The secret in base32, to type. */
  readonly secret: string;
  /** The secret sealed, for the form to bring back when nothing else keeps it. */
  readonly draft?: string;
  /** When the enrolment no longer accepts a code of the secret. */
  readonly confirmBy: Date;
}

/** What was changed in what a PSU signs in with. */
export type AuthenticatorDone = "authenticator_enrolled" | "passkey_added" | "passkey_removed";

/** The page on which a PSU sees what they sign in with. */
export interface AuthenticatorView {
  /** As in `SignInFrame`. */
  readonly origin: string | undefined;
  /** The PSU whose page it is. */
  readonly psu: Psu | undefined;
  /** What was changed just now. */
  readonly done: AuthenticatorDone | undefined;
  /** When the sign-in becomes too old for a change. */
  readonly changeBy: Date;
  /** Begins to set up another app. */
  readonly replace: FormTarget;
  /** Absent when the pages cannot use passkeys. */
  readonly passkeys?: PasskeyListView;
  readonly signOut: FormTarget;
  readonly faults: readonly FormFault[];
}

/** What a PSU sees of one of their passkeys. */
export type ShownPasskey = Pick<Passkey, "id" | "name" | "addedAt" | "lastUsedAt">;

/** The form that adds a passkey. */
export interface AddPasskeyForm extends FormTarget {
  readonly asking: PasskeyAsking;
  readonly seal: string;
  /** As typed before, for another try; empty at first. */
  readonly name: string;
}

/** The passkeys of a PSU, with the form that adds one. */
export interface PasskeyListView {
  readonly list: readonly ShownPasskey[];
  /** Absent when the PSU has as many as are allowed. */
  readonly add: AddPasskeyForm | undefined;
  /** Shows the page again in another language. */
  readonly switchLanguage: FormTarget;
}

/** The question before a passkey is removed. */
export interface PasskeyRemovalView {
  /** As in `SignInFrame`. */
  readonly origin: string | undefined;
  readonly passkey: ShownPasskey;
  readonly form: FormTarget;
}

/** The page on which a PSU decides. */
export interface ConsentView {
  readonly asking: Asking;
  readonly psu: Psu | undefined;
  readonly scopes: readonly Scope[];
  /** The consent that the application has already, which this one would replace. */
  readonly former: Pick<Consent, "givenAt" | "validUntil" | "services" | "accounts"> | undefined;
  /** Empty unless account information is requested. */
  readonly accounts: readonly PsuAccount[];
  readonly validUntil: Date;
  readonly validDays: number;
  /** When the sign-in ends. */
  readonly decideBy: Date;
  readonly form: FormTarget & { readonly shown: string };
  readonly cancel: FormTarget;
  /** As chosen before, for another try; nothing is chosen for the PSU. */
  readonly choice: "all" | "some" | undefined;
  readonly ticked: readonly string[];
  /** The part of the accounts that is shown. */
  readonly list: AccountListFilter;
  readonly faults: readonly FormFault[];
}

/** A page that only says something. */
export interface MessageView {
  readonly message: MessageKey;
  /** Values for the texts. A date is the end of a wait, written as the time of day when the wait is over. */
  readonly fillings?: Fillings | { readonly time: Date };
  readonly requestId?: string;
  /** What was wrong, in English, for the makers of the application; contains no stranger's words. */
  readonly reason?: string;
  /** Where the same step can be tried again with GET. */
  readonly retryPath?: string;
  /** Path of the PSU's consents, when the way leads there and not to the same step. */
  readonly onPath?: string;
  /** The way back to the application, if there is one, with the reason for which the PSU is sent there. */
  readonly cancel?: CancelForm & { readonly because?: WayBackReason };
}
