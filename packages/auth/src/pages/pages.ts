/**
 * What the PSU reads. This folder owns the words in each language, the markup and the one stylesheet. It decides nothing and
 * knows no request. The templates escape every value, and strangers' texts are made fit to be shown first.
 */
import { LANGUAGES, type Language } from "@cobs/cobs-model";
import type { WriteNotice } from "../notices/sign-in-change.ts";
import type { BankTheme } from "../theme/bank-theme.ts";
import { accountLine } from "./account-groups.ts";
import { type AccountList, listAccounts } from "./account-list.ts";
import type { Asset } from "./asset.ts";
import { presentCardWithdrawal } from "./card-consents-pages.ts";
import type { CardWithdrawalView } from "./card-consents-view.ts";
import { presentConsentDetail, presentConsents, presentWithdrawal } from "./consents-pages.ts";
import type { ConsentDetailView, ConsentsView, WithdrawalView } from "./consents-view.ts";
import { displayText } from "./display-text.ts";
import type { DocumentationView } from "./documentation-page.ts";
import { logoAsset } from "./logo.ts";
import { bound } from "./order-lines.ts";
import type {
  AuthenticatorView,
  ConsentView,
  EnrolmentView,
  MessageView,
  PageFrame,
  PasskeyRemovalView,
  SignInView,
} from "./page-view.ts";
import { presentPasskeyRemoval } from "./passkey-lines.ts";
import { presentAsking } from "./present-asking.ts";
import { presentFormer } from "./present-former.ts";
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
import { cs } from "./texts/cs.ts";
import { en } from "./texts/en.ts";
import { type BackKey, type Fillings, fillText, type PhraseKey, type Texts } from "./texts/texts.ts";
import { titleOfTab } from "./title-of-tab.ts";
import { wholeMinuteOf } from "./whole-minute.ts";
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

const TEXTS: Readonly<Record<Language, Texts>> = { cs, en };
/** The bank's own time zone, in which people read dates. */
const TIME_ZONE = "Europe/Prague";

/** Reads templates and stylesheet; throws when one does not compile. */
export function createPages(options: PagesOptions): Pages {
  const render = loadTemplates();
  const stylesheet = loadStylesheet(options.accents);
  const logo = options.logo && logoAsset(options.logo);
  const scripts = loadScripts();

  function frameOf(frame: PageFrame) {
    const texts = TEXTS[frame.language];
    return {
      ...frame,
      bankName: options.bankName,
      contact: options.contact,
      privacyNotice: options.privacyNotice,
      stylesheet: `/assets/${stylesheet.fileName}`,
      scripts: [`/assets/${scripts.sendOnce.fileName}`],
      logo: logo && `/assets/${logo.fileName}`,
      languages: LANGUAGES.map((language) => ({ language, name: texts.names[language] })),
      sayBack: (key: BackKey, host: string) =>
        host === "" ? texts.phrases[`${key}_application`] : fillText(texts.phrases[key], { host }),
      say: (key: PhraseKey, fillings: Fillings = {}) => fillText(texts.phrases[key], fillings),
    };
  }

  /** The script of passkeys, for a page that can use it. */
  const scriptFor = (passkeys: object | undefined) =>
    passkeys === undefined ? {} : { script: `/assets/${scripts.passkeys.fileName}` };

  const wordsOf = ({ language }: PageFrame) => ({
    texts: TEXTS[language],
    language,
    write: (time: Date) => presentTime(time, language, MOMENT),
    writeDate: (time: Date) => presentTime(time, language, DATE),
    writeHour: (time: Date) => presentHour(time, language),
    writeEnd: (end: Date) => presentHour(wholeMinuteOf(end), language),
  });

  /** Makes a page whose content is presented in its words, and put into the frame. */
  const page =
    <View>(name: string, present: (view: View, words: ReturnType<typeof wordsOf>) => object) =>
    (frame: PageFrame, view: View) =>
      render(name, { ...frameOf(frame), ...present(view, wordsOf(frame)) });

  return {
    stylesheet,
    assets: [stylesheet, scripts.sendOnce, scripts.passkeys, ...(logo === undefined ? [] : [logo])],
    signIn: (frame, view) => {
      const presented = presentSignIn(view, wordsOf(frame));
      return render("sign-in", { ...frameOf(frame), ...presented, ...scriptFor(view.passkey) });
    },
    enrolment: page("enrolment", presentEnrolment),
    authenticator: (frame, view) => {
      const presented = presentAuthenticator(view, wordsOf(frame));
      return render("authenticator", { ...frameOf(frame), ...presented, ...scriptFor(view.passkeys?.add) });
    },
    passkeyRemoval: page("passkey-removal", presentPasskeyRemoval),
    consent: (frame, view) =>
      render("consent", {
        ...frameOf(frame),
        ...presentConsent(view, frame.language),
        former: presentFormer(view, wordsOf(frame)),
      }),
    consents: page("consents", presentConsents),
    consentDetail: page("consent-detail", presentConsentDetail),
    withdrawal: page("withdrawal", presentWithdrawal),
    cardWithdrawal: page("card-withdrawal", presentCardWithdrawal),
    order: (frame, view) => {
      const asking = presentAsking(view.asking, wordsOf(frame));
      const presented = { ...presentOrder(view, wordsOf(frame)), ...scriptFor(view.passkey) };
      return render("order", { ...frameOf(frame), ...presented, asking });
    },
    outcome: page("outcome", presentOutcome),
    inbox: page("inbox", presentInbox),
    documentation: (frame, view) => {
      const shared = frameOf(frame);
      const look = { isWide: true, hasConsentsLink: false };
      return render("documentation", { ...shared, ...view, ...look, title: shared.say("docs_title") });
    },
    writeCodeText: (code, order, language) =>
      writeCodeText({ code, order, bankName: options.bankName }, TEXTS[language]),
    writeNotice: ({ change, at, language }) => {
      const time = presentTime(at, language, MOMENT);
      return writeNotice({ change, time, bankName: options.bankName }, TEXTS[language]);
    },
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

function presentConsent(view: ConsentView, language: Language) {
  const texts = TEXTS[language];
  const { phrases } = texts;
  const asked = askedServices(view.scopes);
  const asking = presentAsking(view.asking, { texts, language });
  const marks = { ticked: new Set(view.ticked), shared: new Set<string>(view.former?.accounts) };
  const list = listAccounts({ accounts: view.accounts, ...marks }, view.list, language);
  const single = view.accounts.length === 1 ? view.accounts[0] : undefined;
  const lead = single === undefined || asked === "pisp" ? asked : (`${asked}_single` as const);
  const isChosen = asked !== "pisp" && single === undefined;
  const title = phrases[`consent_title_${asked}`];
  return {
    ...view,
    asking,
    switchForm: switchFormOf(view, { isChosen, ...list }),
    title,
    titleOfTab: titleOfTab([title], [{ ...list, label: phrases.account_list }], texts),
    lead: fillText(phrases[`consent_lead_${lead}`], { tpp: asking.tppName }),
    psuName: view.psu === undefined ? undefined : displayText(view.psu.displayName),
    information: asked !== "pisp",
    payments: asked !== "aisp",
    singleAccount: single && { ...accountLine(single, language), shared: marks.shared.has(single.id) },
    accountCount: view.accounts.length,
    list,
    // When no account is shown, a fault at the first account moves to the heading.
    faults: view.faults.map((fault) =>
      fault.field === "account" && list.found === 0 ? { ...fault, field: "accounts" } : fault,
    ),
    validity: bound(DAY_COUNTS[language].format(view.validDays)),
    untilDate: fillText(phrases.until_date, { date: presentTime(view.validUntil, language, DATE) }),
    decideBy: presentHour(view.decideBy, language),
  };
}

/**
 * The language switch as buttons of the form, so that the choices and what was wrong are kept; the Enter key does what it does
 * without the switch. Undefined where there is nothing to keep.
 */
function switchFormOf(
  { form: { action }, faults }: Pick<ConsentView, "form" | "faults">,
  { isChosen, isSearchable }: Pick<AccountList, "isSearchable"> & { readonly isChosen: boolean },
) {
  if (!isChosen && faults.length === 0) return undefined;
  const enter = isSearchable
    ? ({ go: "find", action: `${action}#accounts`, say: "find_button" } as const)
    : ({ go: "", action, say: "agree" } as const);
  return { id: "decision", action, enter };
}

function askedServices(scopes: ConsentView["scopes"]): "aisp" | "pisp" | "both" {
  if (!scopes.includes("pisp")) return "aisp";
  return scopes.includes("aisp") ? "both" : "pisp";
}

/** A format in each language; creating one takes longer than the rest of a page. */
type TimeFormat = Readonly<Record<Language, Intl.DateTimeFormat>>;

function timeFormat(style: Intl.DateTimeFormatOptions): TimeFormat {
  const of = (language: Language) =>
    new Intl.DateTimeFormat(TEXTS[language].locale, { ...style, timeZone: TIME_ZONE });
  return { cs: of("cs"), en: of("en") };
}

const DATE = timeFormat({ dateStyle: "long" });
const TIME = timeFormat({ timeStyle: "short" });
const TIME_IN_ZONE = timeFormat({ hour: "numeric", minute: "2-digit", timeZoneName: "short" });
const MOMENT = timeFormat({ dateStyle: "long", timeStyle: "short" });

/** Czech says "ve" before these hours: dvě, tři, čtyři, dvanáct to čtrnáct, dvacet and after. */
const HARD_HOUR = / v (?=(?:[234]|1[2-4]|2\d):)/;

function presentTime(time: Date, language: Language, format: TimeFormat): string {
  return bound(format[language].format(time).replace(HARD_HOUR, " ve "));
}

const HOUR_MILLISECONDS = 3_600_000;

/** A time of day; of one that comes twice, in the night when summer time ends, which of the two it is. */
function presentHour(time: Date, language: Language): string {
  const hour = presentTime(time, language, TIME);
  const comesTwice = [-HOUR_MILLISECONDS, HOUR_MILLISECONDS].some(
    (offset) => presentTime(new Date(time.getTime() + offset), language, TIME) === hour,
  );
  return comesTwice ? presentTime(time, language, TIME_IN_ZONE) : hour;
}

const DAY_COUNTS: Readonly<Record<Language, Intl.NumberFormat>> = {
  cs: dayCount("cs"),
  en: dayCount("en"),
};

function dayCount(language: Language): Intl.NumberFormat {
  return new Intl.NumberFormat(TEXTS[language].locale, { style: "unit", unit: "day", unitDisplay: "long" });
}

function presentFillings(fillings: NonNullable<MessageView["fillings"]>, language: Language): Fillings {
  const entries = Object.entries(fillings).map(([name, value]): [string, string | number] => [
    name,
    value instanceof Date ? presentHour(wholeMinuteOf(value), language) : value,
  ]);
  return Object.fromEntries(entries);
}
