/**
 * What the PSU reads. This folder owns the words in each language, the markup and the one stylesheet. It decides nothing and
 * knows no request. The templates escape every value, and strangers' texts are made fit to be shown first.
 */
import { LANGUAGES } from "@cobs/cobs-model";
import type { WriteNotice } from "../notices/sign-in-change.ts";
import type { BankTheme } from "../theme/bank-theme.ts";
import type { Asset } from "./asset.ts";
import { presentCardWithdrawal } from "./card-consents-pages.ts";
import type { CardWithdrawalView } from "./card-consents-view.ts";
import { presentConsentDetail, presentConsents, presentWithdrawal } from "./consents-pages.ts";
import type { ConsentDetailView, ConsentsView, WithdrawalView } from "./consents-view.ts";
import type { DocumentationView } from "./documentation-page.ts";
import { logoAsset } from "./logo.ts";
import { presentMessage } from "./message-page.ts";
import type {
  AuthenticatorView,
  ConsentView,
  EnrolmentView,
  MessageView,
  PageFrame,
  PasskeyRemovalView,
  SignInView,
} from "./page-view.ts";
import { type PageWords, wordsOf } from "./page-words.ts";
import { presentPasskeyRemoval } from "./passkey-lines.ts";
import { presentConsent } from "./present-consent.ts";
import { loadScripts } from "./scripts.ts";
import { presentAuthenticator, presentEnrolment, presentSignIn } from "./sign-in-pages.ts";
import {
  presentInbox,
  presentOrder,
  presentOutcome,
  type WriteCodeText,
  writeCodeText,
} from "./signing-pages.ts";
import type { InboxView, OrderView, OutcomeView } from "./signing-view.ts";
import { loadStylesheet } from "./stylesheet.ts";
import { loadTemplates } from "./templates.ts";
import { type BackKey, type Fillings, fillText, type PhraseKey } from "./texts/texts.ts";
import { writeNotice } from "./write-notice.ts";

/** The pages of one bank, as HTML. */
export interface Pages {
  signIn(frame: PageFrame, view: SignInView): string;
  enrolment(frame: PageFrame, view: EnrolmentView): string;
  authenticator(frame: PageFrame, view: AuthenticatorView): string;
  passkeyRemoval(frame: PageFrame, view: PasskeyRemovalView): string;
  consent(frame: PageFrame, view: ConsentView): string;
  consents(frame: PageFrame, view: ConsentsView): string;
  consentDetail(frame: PageFrame, view: ConsentDetailView): string;
  withdrawal(frame: PageFrame, view: WithdrawalView): string;
  cardWithdrawal(frame: PageFrame, view: CardWithdrawalView): string;
  message(frame: PageFrame, view: MessageView): string;
  order(frame: PageFrame, view: OrderView): string;
  outcome(frame: PageFrame, view: OutcomeView & { readonly requestId: string }): string;
  inbox(frame: PageFrame, view: InboxView): string;
  documentation(frame: PageFrame, view: DocumentationView): string;
  readonly writeCodeText: WriteCodeText;
  readonly writeNotice: WriteNotice;
  readonly stylesheet: Asset;
  /** Every file that the pages name, including the stylesheet. */
  readonly assets: readonly Asset[];
}

/** The bank whose pages these are. */
export interface PagesOptions extends BankTheme {
  readonly bankName: string;
}

/** Reads templates and stylesheet; throws when one does not compile. */
export function createPages(options: PagesOptions): Pages {
  const { bankName } = options;
  const render = loadTemplates();
  const files = loadFiles(options);
  const withPasskeys = { script: pathOf(files.passkeys) };

  /** Makes a page whose content is presented in its words, and put into the frame. */
  const page =
    <View>(name: string, present: (view: View, words: PageWords) => object) =>
    (frame: PageFrame, view: View) => {
      const words = wordsOf(frame.language);
      return render(name, {
        ...frame,
        ...presentBank(options, files),
        ...speak(words),
        ...present(view, words),
      });
    };

  return {
    signIn: page("sign-in", (view: SignInView, words) => ({
      ...presentSignIn(view, words),
      ...(view.passkey && withPasskeys),
    })),
    enrolment: page("enrolment", presentEnrolment),
    authenticator: page("authenticator", (view: AuthenticatorView, words) => ({
      ...presentAuthenticator(view, words),
      ...(view.passkeys?.add && withPasskeys),
    })),
    passkeyRemoval: page("passkey-removal", presentPasskeyRemoval),
    consent: page("consent", presentConsent),
    consents: page("consents", presentConsents),
    consentDetail: page("consent-detail", presentConsentDetail),
    withdrawal: page("withdrawal", presentWithdrawal),
    cardWithdrawal: page("card-withdrawal", presentCardWithdrawal),
    message: page("message", presentMessage),
    order: page("order", (view: OrderView, words) => ({
      ...presentOrder(view, words),
      ...(view.passkey && withPasskeys),
    })),
    outcome: page("outcome", presentOutcome),
    inbox: page("inbox", presentInbox),
    documentation: page("documentation", presentWide),
    writeCodeText: (code, order, language) =>
      writeCodeText({ code, order, bankName }, wordsOf(language).texts),
    writeNotice: ({ change, at, language }) => {
      const { texts, writeMoment } = wordsOf(language);
      return writeNotice({ change, time: writeMoment(at), bankName }, texts);
    },
    stylesheet: files.stylesheet,
    assets: Object.values(files).filter((file) => file !== undefined),
  };
}

/** The files that the pages name. */
interface PageFiles {
  readonly stylesheet: Asset;
  /** For every page: sends a form once. */
  readonly sendOnce: Asset;
  /** For pages on which a passkey can be used. */
  readonly passkeys: Asset;
  readonly logo: Asset | undefined;
}

function loadFiles({ accents, logo }: PagesOptions): PageFiles {
  return { stylesheet: loadStylesheet(accents), ...loadScripts(), logo: logo && logoAsset(logo) };
}

function pathOf({ fileName }: Asset): string {
  return `/assets/${fileName}`;
}

/** What every page shows of its bank, and the files that every page loads. */
function presentBank(
  { bankName, contact, privacyNotice }: PagesOptions,
  { stylesheet, sendOnce, logo }: PageFiles,
) {
  return {
    bankName,
    contact,
    privacyNotice,
    stylesheet: pathOf(stylesheet),
    scripts: [pathOf(sendOnce)],
    logo: logo && pathOf(logo),
  };
}

/** The words with which the templates themselves speak. */
function speak({ texts: { names, phrases } }: PageWords) {
  return {
    languages: LANGUAGES.map((language) => ({ language, name: names[language] })),
    sayBack: (key: BackKey, host: string) =>
      host === "" ? phrases[`${key}_application`] : fillText(phrases[key], { host }),
    say: (key: PhraseKey, fillings: Fillings = {}) => fillText(phrases[key], fillings),
  };
}

/** The page of the interface is for programmers: it is wide, and leads to no consents. */
function presentWide(view: DocumentationView, { texts }: PageWords) {
  return { ...view, isWide: true, hasConsentsLink: false, title: texts.phrases.docs_title };
}
