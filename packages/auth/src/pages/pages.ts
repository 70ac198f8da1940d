/**
 * What the PSU reads. This folder owns the words in each language, the markup and the one stylesheet; it decides nothing and
 * knows no request. Every value is escaped by the templates, and texts of strangers are made fit to be shown first.
 */
import type { Language } from "@cobs/cobs-model";
import type { BankTheme } from "../theme/bank-theme.ts";
import { accountLines, groupAccounts } from "./account-groups.ts";
import type { Asset } from "./asset.ts";
import { displayText } from "./display-text.ts";
import { logoAsset } from "./logo.ts";
import type {
  Asking,
  AuthenticatorView,
  ConsentView,
  EnrolmentView,
  MessageView,
  PageFrame,
  SignInFrame,
  SignInView,
} from "./page-view.ts";
import { presentQrCode } from "./qr-code.ts";
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
import { cs } from "./texts/cs.ts";
import { en } from "./texts/en.ts";
import { type BackKey, type Fillings, fillText, type PhraseKey, type Texts } from "./texts/texts.ts";

/** The pages of one bank, as HTML. */
export interface Pages {
  signIn(frame: PageFrame, view: SignInView): string;
  enrolment(frame: PageFrame, view: EnrolmentView): string;
  authenticator(frame: PageFrame, view: AuthenticatorView): string;
  consent(frame: PageFrame, view: ConsentView): string;
  message(frame: PageFrame, view: MessageView): string;
  order(frame: PageFrame, view: OrderView): string;
  outcome(frame: PageFrame, view: OutcomeView & { readonly requestId: string }): string;
  inbox(frame: PageFrame, view: InboxView): string;
  readonly writeCodeText: WriteCodeText;
  readonly stylesheet: Asset;
}
  /** Every file that the pages name, the stylesheet among them. */
  readonly assets: readonly Asset[];
}

/** Whose pages these are. */
export interface PagesOptions extends BankTheme {
  readonly bankName: string;

const TEXTS: Readonly<Record<Language, Texts>> = { cs, en };
/** The bank's own time, in which people read dates. */
const TIME_ZONE = "Europe/Prague";

/** Reads templates and stylesheet; throws when one does not compile. */
export function createPages(options: PagesOptions): Pages {
  const render = loadTemplates();
  const stylesheet = loadStylesheet(options.accents);
  const logo = options.logo && logoAsset(options.logo);

  function frameOf(frame: PageFrame) {
    const texts = TEXTS[frame.language];
    return {
      ...frame,
      bankName: options.bankName,
      stylesheet: `/assets/${stylesheet.fileName}`,
      languages: [
      logo: logo && `/assets/${logo.fileName}`,
        { language: "cs", name: texts.names.cs },
        { language: "en", name: texts.names.en },
      ],
      sayBack: (key: BackKey, host: string) =>
        host === "" ? texts.phrases[`${key}_application`] : fillText(texts.phrases[key], { host }),
      say: (key: PhraseKey, fillings: Fillings = {}) => fillText(texts.phrases[key], fillings),
    };
  }

  const wordsOf = ({ language }: PageFrame) => ({
  /** The script, for a page that has use for it. */
  const scriptFor = (passkeys: object | undefined) =>
    passkeys === undefined ? {} : { script: `/assets/${passkeyScript.fileName}` };

    texts: TEXTS[language],
    write: (time: Date) => presentTime(time, language, MOMENT),
  });

  return {
    stylesheet,
    signIn: (frame, view) => {
    assets: logo === undefined ? [stylesheet] : [stylesheet, logo],
      const shared = { ...frameOf(frame), ...presentSignIn(view, frame.language) };
      return render("sign-in", { ...shared, username: view.username, title: shared.say("sign_in_title") });
    },
    enrolment: (frame, view) => {
      const shared = { ...frameOf(frame), ...presentSignIn(view, frame.language) };
      const key = {
        qrCode: presentQrCode(view.uri),
        secret: view.secret.replace(/(.{4})(?=.)/g, "$1 "),
        draft: view.draft,
      };
      return render("enrolment", { ...shared, ...key, title: shared.say("enrolment_title") });
    },
    authenticator: (frame, view) => {
      const shared = frameOf(frame);
      return render("authenticator", { ...shared, ...view, title: shared.say("authenticator_title") });
    },
    consent: (frame, view) =>
      render("consent", { ...frameOf(frame), ...presentConsent(view, frame.language) }),
    order: (frame, view) => {
      const asking = presentAsking(view.asking, frame.language);
      return render("order", { ...frameOf(frame), ...presentOrder(view, wordsOf(frame)), asking });
    },
    outcome: (frame, view) =>
      render("outcome", { ...frameOf(frame), ...presentOutcome(view, wordsOf(frame)) }),
    inbox: (frame, view) => render("inbox", { ...frameOf(frame), ...presentInbox(view, wordsOf(frame)) }),
    writeCodeText: (code, order, language) =>
      writeCodeText({ code, order, bankName: options.bankName }, TEXTS[language]),
    message: (frame, view) => {
      const { title, lead, advice } = TEXTS[frame.language].messages[view.message];
      const fillings = presentFillings(view.fillings ?? {}, frame.language);
      const fill = (text: string) => fillText(text, fillings);
      return render("message", {
        ...frameOf(frame),
        ...view,
        title,
        lead: fill(lead),
        advice: advice.map(fill),
      });
    },
  };
}

function presentAsking(asking: Asking, language: Language) {
  const { clientName, localizedNames } = asking.application;
  const localized = localizedNames.find((name) => name.language.toLowerCase().split("-")[0] === language);
  return {
    tppName: displayText(asking.tpp.organisationName),
    authorityName: displayText(asking.tpp.authority.name),
    authorityId: displayText(asking.tpp.authority.id),
    organisationIdentifier: displayText(asking.tpp.organisationIdentifier),
    applicationName: displayText(localized?.name ?? clientName),
    redirectHost: displayText(asking.redirectHost),
  };
}

function presentSignIn({ asking, cancel, origin, form, faults }: SignInFrame, language: Language) {
  return {
    ...{ origin, form, faults },
    asking: asking && presentAsking(asking, language),
    cancel: cancel && { ...cancel, host: displayText(cancel.host) },
  };
}

function presentConsent(view: ConsentView, language: Language) {
  const { phrases } = TEXTS[language];
  const asked = askedServices(view.scopes);
  const asking = presentAsking(view.asking, language);
  const lines = accountLines(view.accounts, view.ticked, language);
  return {
    ...view,
    asking,
    title: phrases[`consent_title_${asked}`],
    lead: fillText(phrases[`consent_lead_${asked}`], { tpp: asking.tppName }),
    psuName: view.psu === undefined ? undefined : displayText(view.psu.displayName),
    information: asked !== "pisp",
    payments: asked !== "aisp",
    singleAccount: lines.length === 1 ? lines[0] : undefined,
    accountCount: lines.length,
    accountGroups: groupAccounts(lines),
    untilDate: fillText(phrases.until_date, { date: presentTime(view.validUntil, language, DATE) }),
    decideBy: presentTime(view.decideBy, language, TIME),
  };
}

function askedServices(scopes: ConsentView["scopes"]): "aisp" | "pisp" | "both" {
  if (!scopes.includes("pisp")) return "aisp";
  return scopes.includes("aisp") ? "both" : "pisp";
}

const DATE: Intl.DateTimeFormatOptions = { dateStyle: "long" };
const TIME: Intl.DateTimeFormatOptions = { timeStyle: "short" };
const MOMENT: Intl.DateTimeFormatOptions = { dateStyle: "long", timeStyle: "short" };

function presentTime(time: Date, language: Language, style: Intl.DateTimeFormatOptions): string {
  return new Intl.DateTimeFormat(TEXTS[language].locale, { ...style, timeZone: TIME_ZONE }).format(time);
}

function presentFillings(fillings: NonNullable<MessageView["fillings"]>, language: Language): Fillings {
  const entries = Object.entries(fillings).map(([name, value]): [string, string | number] => [
    name,
    value instanceof Date ? presentTime(value, language, TIME) : value,
  ]);
  return Object.fromEntries(entries);
}
