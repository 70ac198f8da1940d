import { displayHost, displayText } from "./display-text.ts";
import type { AuthenticatorView, EnrolmentView, FormTarget, SignInFrame, SignInView } from "./page-view.ts";
import type { PageWords } from "./page-words.ts";
import { presentPasskeys } from "./passkey-lines.ts";
import { presentAsking } from "./present-asking.ts";
import { presentQrCode } from "./qr-code.ts";
import { fillText, type Texts } from "./texts/texts.ts";

/** What the first page of a sign-in shows besides its frame. */
export function presentSignIn(view: SignInView, words: PageWords) {
  const { phrases } = words.texts;
  const shared = presentFrame(view, words);
  const { purpose, anew, signInBy, username, passkey } = view;
  return {
    ...shared,
    title: phrases.sign_in_title,
    // Several tabs may be open at once, and a screen reader says this title first (WCAG 2.2 2.4.2).
    titleOfTab: phrases[`sign_in_tab_${purpose}`],
    lead: fillText(phrases[`sign_in_lead_${purpose}`], { tpp: shared.asking?.tppName ?? "" }),
    isFirstStep: purpose === "authorization",
    done: anew && whyAnew({ purpose, anew }, phrases),
    signInBy: signInBy && words.writeHour(signInBy),
    // A name that was typed before is kept when the language is switched, and so is what was wrong.
    switchForm: username === "" && shared.faults.length === 0 ? undefined : switchFormOf(view.form),
    username,
    passkey,
  };
}

/**
 * Says why a sign-in begins anew. A secret or passkey that was made on a device for a form that was not taken stays there, and
 * looks as if it worked. The secret of a form that was sent twice was taken the first time, and must stay.
 */
function whyAnew(
  { purpose, anew }: Pick<SignInView, "purpose"> & { readonly anew: "ended" | "late" | "used" },
  phrases: Texts["phrases"],
): string {
  const why = phrases[`sign_in_${anew}`];
  return purpose === "authenticator" && anew !== "used" ? `${why} ${phrases.sign_in_unconfirmed}` : why;
}

/** What the page of a new secret shows besides its frame. */
export function presentEnrolment(view: EnrolmentView, words: PageWords) {
  const shared = presentFrame(view, words);
  return {
    ...shared,
    title: words.texts.phrases.enrolment_title,
    uri: view.uri,
    qrCode: presentQrCode(view.uri),
    secret: view.secret.replace(/(.{4})(?=.)/g, "$1 "),
    draft: view.draft,
    confirmBy: words.writeHour(view.confirmBy),
    // A draft that nothing else keeps is kept when the language is switched, and what was wrong; a typed code is not.
    switchForm: view.draft === undefined && shared.faults.length === 0 ? undefined : switchFormOf(view.form),
  };
}

/** What the page about what a PSU signs in with shows besides its frame. */
export function presentAuthenticator(view: AuthenticatorView, words: PageWords) {
  const { phrases } = words.texts;
  const { faults } = view;
  return {
    ...view,
    // What was wrong is kept when the language is switched, and so is a name that was typed for a passkey.
    switchForm: faults.length === 0 ? undefined : switchFormOf(view.passkeys?.switchLanguage),
    passkeys: view.passkeys && presentPasskeys(view.passkeys, words),
    title: phrases.authenticator_title,
    done: view.done && phrases[`done_${view.done}`],
    changeBy: words.writeHour(view.changeBy),
    psuName: view.psu && displayText(view.psu.displayName),
  };
}

function presentFrame({ asking, cancel, origin, form, faults }: SignInFrame, words: PageWords) {
  return {
    origin,
    form,
    faults,
    asking: asking && presentAsking(asking, words),
    cancel: cancel && { ...cancel, host: displayHost(cancel.host) },
  };
}

function switchFormOf(form: FormTarget | undefined) {
  return form && { id: "language", ...form };
}
