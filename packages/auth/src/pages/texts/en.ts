import { consentsEn } from "./consents-en.ts";
import { signingEn } from "./signing-en.ts";

/** Everything that the pages say, in English; other languages have the same keys. `{…}` are filled in by the pages. */
export const en = {
  phrases: {
    ...consentsEn.phrases,
    ...signingEn.phrases,
    docs_title: "Interface for third party providers",
    docs_lead:
      "What a licensed provider can call here, and how. The description is in English. Nothing can be tried out on this page: calls need the provider’s certificate.",
    docs_document: "The same for programs (OpenAPI 3.1)",
    error_prefix: "Error",
    skip_link: "Skip to the content",
    languages: "Language",
    contact: "How to contact us",
    privacy_link: "How we handle your personal data",
    address_hint: "Enter your sign-in details only when the address begins with {origin}/.",
    step_of: "Step {step} of {steps}",
    cancel_to: "Cancel and return to {host}",
    cancel_to_application: "Cancel and return to the application",
    return_to: "Return to {host}",
    return_to_application: "Return to the application",
    try_again: "Try again",
    request_id: "Reference for our support",
    reason: "For the developers of the application",

    sign_in_title: "Sign in",
    sign_in_tab_authorization: "Sign in to decide on a consent",
    sign_in_tab_signing: "Sign in to decide on a payment",
    sign_in_tab_consents: "Sign in to see your consents",
    sign_in_tab_authenticator: "Sign in to see what you sign in with",
    sign_in_lead_authorization:
      "{tpp} asks for your consent. Sign in first. You decide on the next page, and nothing is shared until you agree.",
    sign_in_lead_signing:
      "{tpp} has sent us a payment order in your name. Sign in first. You see the order on the next page, and nothing leaves your account without your approval.",
    sign_in_lead_consents: "Sign in to see what you have agreed to, and to change it.",
    sign_in_lead_authenticator: "Sign in to see what you sign in with, and to change it.",
    sign_in_by:
      "For your security you have until {time} Prague time to sign in. After that you would have to start again in the application.",
    sign_in_ended:
      "Your earlier sign-in is no longer valid here. Please sign in again. Anything that you sent after it ended has not been carried out.",
    sign_in_late:
      "You have ten minutes for each page of the sign-in. The one that you sent was no longer valid, and we took nothing from it. Please sign in again.",
    sign_in_used:
      "The page of the sign-in that you sent was no longer valid: the button may have been pressed twice, or you signed out in another window. Please sign in again. If you typed a code from an app, wait for the next one. If you have just set up an authenticator app, try a code from it.",
    sign_in_unconfirmed:
      "If you were adding a passkey or setting up an app and we have not confirmed it, first try to sign in with it. If we do not accept it, delete what your device or the app has saved: it does not work.",
    asking: "Who is asking",
    username: "User name",
    password: "Password",
    one_time_code: "One-time code",
    one_time_code_hint:
      "Six digits from your authenticator app. Each code works once. No app yet? Enter the activation code that we gave you.",
    sign_in: "Sign in",
    sign_out: "Sign out",

    passkey: "Passkey",
    passkey_hint:
      "Your fingerprint, your face or the PIN of your device is enough. You need no user name and no password.",
    passkey_sign_in: "Sign in with a passkey",
    passkey_for_code: "Use a passkey instead of the code",
    passkey_failed: "The passkey could not be used. Try again, or continue without it.",
    passkey_here: "You have already added a passkey on this device. Use that one, or add another device.",
    passkeys: "Passkeys",
    passkeys_lead:
      "With a passkey you sign in with your fingerprint, your face or the PIN of your device. From 24 hours after you add it, you can also approve payments with it. Nobody can trick you out of it, because it works only on these pages.",
    passkeys_full: "You have ten passkeys, the most that you can have. Remove one before you add another.",
    passkeys_unavailable:
      "To add a passkey, open this page in a browser that supports passkeys and is allowed to run JavaScript.",
    passkey_unnamed: "Passkey without a name",
    passkey_added: "Added {time}",
    passkey_used: "Last used {time}",
    passkey_unused: "Not used yet",
    passkey_name: "Name of the new passkey",
    passkey_name_hint: "It helps you to recognise the passkey, for example “phone” or “computer at work”.",
    passkey_add: "Add a passkey",
    passkey_remove: "Remove “{name}”",
    passkey_remove_title: "Remove the passkey “{name}”?",
    passkey_remove_title_unnamed: "Remove the passkey without a name?",
    passkey_remove_lead: "It stops working at once, and this cannot be undone.",
    passkey_remove_effect:
      "Nobody will be able to sign in or approve a payment with it any more. Your other ways to sign in stay as they are.",
    passkey_remove_elsewhere:
      "You stay signed in here. In all other browsers you will be signed out; if you are giving a consent in one of them, you will have to start again in the application.",
    passkey_remove_again:
      "If you change your mind, add a new passkey. You can approve payments with it only after 24 hours.",
    passkey_remove_this: "Remove passkey",
    passkey_keep: "Keep passkey",
    notice_passkey_added:
      "{bank}: a passkey was added to your sign-in on {time} Prague time. Whoever has it can sign in as you and, from 24 hours after that, approve payments. If you did not add it, remove it on our page and contact us at once.",
    notice_passkey_removed:
      "{bank}: a passkey was removed from your sign-in on {time} Prague time. If you did not remove it, contact us at once.",
    notice_authenticator_enrolled:
      "{bank}: an authenticator app was set up for your sign-in on {time} Prague time. Codes from an earlier one no longer work. If you did not set it up, contact us at once.",
    notice_name: "The passkey is called “{name}”.",
    done_authenticator_enrolled:
      "Your authenticator app is set up. From now on we ask for its codes when you sign in. The app that you used before no longer works. You have been signed out in all other browsers.",
    done_passkey_added:
      "The passkey has been added. You can sign in with it now, and approve payments only after 24 hours.",
    done_passkey_removed:
      "The passkey has been removed. Nobody can sign in or approve a payment with it any more. If your device still offers it, delete it there too.",
    fault_passkey_not_added: "The passkey could not be added. Try again.",
    fault_passkey_known: "This passkey has already been added. Use it, or add another one.",
    fault_changed_too_often: "You have made too many changes in the last hour. Try again in an hour.",
    fault_passkey_last: "Without this passkey you could not sign in. Add another one first.",

    authenticator_title: "How you sign in",
    authenticator_change_by:
      "For your security you have until {time} Prague time to change something here. After that you would have to sign in again.",
    authenticator_app: "Authenticator app",
    authenticator_lead: "You sign in with your password and a code from your authenticator app.",
    authenticator_replace_hint:
      "Do you have a new phone? Set up the app on it. The one that you use now will then stop working, and in all other browsers you will be signed out.",
    authenticator_replace: "Set up another app",
    authenticator_keep: "Keep the app that you use now",
    enrolment_title: "Set up your authenticator app",
    enrolment_lead:
      "From now on the app gives you a one-time code for each sign-in. Any app for time-based codes will do.",
    enrolment_confirm_by:
      "For your security you have until {time} Prague time to confirm the app. After that the key on this page does not work: you would have to delete it from the app and start again.",
    enrolment_scan: "Scan this picture with the app",
    enrolment_picture: "QR code for the authenticator app; the same key is given below as text",
    enrolment_here: "Open in the app on this device",
    enrolment_type: "Or type this key into the app",
    enrolment_code: "Code from the app",
    enrolment_code_hint: "Six digits. They tell us that the app is set up.",
    enrolment_confirm: "Confirm",

    consent_title_aisp: "Share your account information?",
    consent_title_pisp: "Allow payment orders?",
    consent_title_both: "Share account information and allow payment orders?",
    consent_lead_aisp: "{tpp} asks to see the accounts that you choose.",
    consent_lead_pisp: "{tpp} asks to send payment orders to us in your name.",
    consent_lead_both:
      "{tpp} asks to see the accounts that you choose, and to send payment orders to us in your name.",
    consent_lead_aisp_single: "{tpp} asks to see your account.",
    consent_lead_both_single:
      "{tpp} asks to see your account, and to send payment orders to us in your name.",
    signed_in_as: "Signed in as {name}",
    company: "Company",
    company_proof: "Verified by its certificate",
    authority: "Licensed by",
    registration: "Authorisation number",
    application: "Application",
    application_claim: "This name was chosen by the company. We have not verified it.",
    quote_open: "“",
    quote_close: "”",

    what: "What you would allow",
    aisp_title: "Account information",
    aisp_sees:
      "See the name, type, number, currency, balance and agreed overdraft of the accounts that you choose below",
    aisp_transactions: "See the transactions on these accounts",
    aisp_sees_single: "See the name, type, number, currency, balance and agreed overdraft of your account",
    aisp_transactions_single: "See the transactions on this account",
    aisp_repeatedly: "Do this repeatedly until the consent ends, even when you are not using the application",
    aisp_only_not: "This does not allow any payment.",
    pisp_title: "Payment orders",
    pisp_sends: "Send us payment orders from your payment accounts",
    pisp_sends_shared: "Send us payment orders from the accounts that you share",
    pisp_sends_single: "Send us payment orders from this account",
    pisp_checks_single:
      "Ask us whether a certain amount is in this account: it learns yes or no, never the balance",
    pisp_checks_shared:
      "Ask us whether a certain amount is in one of these accounts: it learns yes or no, never the balance",
    pisp_checks:
      "Ask us whether a certain amount is in a payment account: it learns yes or no, never the balance",
    pisp_each: "You approve every single payment separately, here with us. Without that nothing is paid.",
    pisp_only_not: "This does not let the company see your balances or transactions.",
    secrets_not: "The company does not learn your password or your codes. You enter them with us only.",

    until: "Until when",
    until_date: "Until {date}",
    until_days:
      "The consent would be valid for {days} from your sign-in today. After that the company must ask you again.",

    accounts: "Which accounts",
    accounts_for_both:
      "Your choice applies to payment orders and to questions about an amount too: other accounts are left out.",
    accounts_single: "You have one payment account. This is the account that would be shared:",
    choice: "What would you like to share?",
    choice_all: "All accounts listed here\u00a0({count})",
    choice_all_hint: "Accounts that you open later are not included.",
    choice_some: "Only the accounts that I tick",
    account_list: "Your accounts",
    account_group: "Accounts in {currency}",
    account_number: "Account number",
    iban: "IBAN",

    next: "What happens next",
    next_return:
      "You return to {host}, whichever way you decide. The company then learns whether you agreed.",
    next_return_application:
      "You return to the application, whichever way you decide. The company then learns whether you agreed.",
    next_withdraw: "You can withdraw your consent at any time, in the application or with us.",
    decide_by:
      "For your security you have until {time} Prague time to decide. After that you would have to start again in the application.",
    agree: "I agree",
    refuse: "I do not agree",

    fault_summary: "Please check the following",
    fault_sign_in_refused:
      "We could not sign you in. Check your user name, password and one-time code. Wait for a new code if you have used this one already.",
    fault_passkey_refused:
      "We could not sign you in with this passkey. Try again, or enter your user name, password and one-time code.",
    fault_passkey_late:
      "The answer of your passkey came too late. We wait five minutes for it, so we did not take it. Try again.",
    fault_username_missing: "Enter your user name",
    fault_password_missing: "Enter your password",
    fault_code_missing: "Enter the one-time code from your authenticator app",
    fault_code_wrong:
      "This is not the code that the app shows now. Check that the app has accepted the key from this page.",
    fault_choice_missing: "Choose whether to share all accounts or only those that you tick",
    fault_account_missing: "Tick at least one account",
    fault_choice_ambiguous: "You chose all accounts but ticked only some. Choose one or the other.",
    fault_account_unknown:
      "The form named an account that is not yours. Nothing was shared. Choose from the accounts below.",
    fault_changed:
      "Something on this page has changed since you opened it. Nothing was shared. Read it again before you decide.",
  },
  messages: {
    ...consentsEn.messages,
    ...signingEn.messages,
    interaction_unknown: {
      title: "This page is no longer valid",
      lead: "The request has already been dealt with, it waited too long, it was begun in another browser, or somebody else has since signed in with the same browser. Nothing was changed by this.",
      advice: [
        "If you came here with the back button, go forward again.",
        "Otherwise return to the application that sent you here and start again.",
        "Stay in the same browser until you are back in the application.",
      ],
    },
    cookies_missing: {
      title: "Your browser did not send our cookies",
      lead: "We need cookies to know that it is still you. Nothing was shared.",
      advice: [
        "Allow cookies for this site and start again. If an application sent you here, start again there.",
        "If you copied this address from another browser, continue in that one.",
      ],
    },
    session_idle: {
      title: "You have been signed out",
      lead: "For your security you have five minutes from your sign-in to decide. A sign-in ends earlier when you sign out, when somebody else signs in with the same browser, or when you change elsewhere what you sign in with. Nothing was shared.",
      advice: ["Return to the application and start again."],
    },
    accounts_unavailable: {
      title: "We cannot show your accounts at the moment",
      lead: "Nothing was shared and nothing was stored.",
      advice: [
        "Try again in a moment.",
        "If that does not help, return to the application and come back later.",
      ],
    },
    accounts_none: {
      title: "You have no account that can be shared",
      lead: "There is no payment account under your name that this consent could apply to. Nothing was shared.",
      advice: ["Return to the application. If you expected an account here, contact us."],
    },
    sign_in_blocked: {
      title: "Sign-in is blocked for a while",
      lead: "There were too many failed attempts for this user name. The block ends by itself at {time} Prague time.",
      advice: [
        "Try again after {time}.",
        "If it was not you who tried, contact us. None of these attempts succeeded.",
      ],
    },
    passkey_blocked: {
      title: "This passkey is blocked for a while",
      lead: "There were too many failed attempts with this passkey. The block ends by itself at {time} Prague time.",
      advice: [
        "Sign in with your user name, password and one-time code, or try the passkey again after {time}.",
        "If it was not you who tried, contact us. None of these attempts succeeded.",
      ],
    },
    signed_out: {
      title: "You have signed out",
      lead: "Nobody can continue in this browser without signing in again. Consents that you have given stay in force.",
      advice: ["You may close this page."],
    },
    sign_in_refused: {
      title: "We could not sign you in",
      lead: "The sign-in was not finished, or it was not secure enough. Nothing was shared or paid.",
      advice: ["Try again.", "If it happens again, contact us and give the reference below."],
    },
    sign_in_late: {
      title: "Your sign-in is not valid here",
      lead: "It took longer than the ten minutes that you have to sign in and come back here, or it began in another browser. We took nothing of it. Nothing was shared or paid.",
      advice: ["Sign in again."],
    },
    busy: {
      title: "Too many people are signing in",
      lead: "We could not accept your sign-in at the moment. It does not count as a failed attempt.",
      advice: ["Try again in a few seconds."],
    },
    rate_limited: {
      title: "Too many requests",
      lead: "More requests have come from your network, or for this application, than we can handle at once. Nothing was changed, and this does not count as a failed sign-in.",
      advice: ["Wait a minute, then try again."],
    },
    form_untrusted: {
      title: "We could not accept this form",
      lead: "It did not come from the page that we showed you, or that page was out of date. Nothing was changed.",
      advice: [
        "Open the page again and repeat what you wanted to do.",
        "If that does not help, and an application sent you here, return to it and start again.",
      ],
    },
    form_malformed: {
      title: "We could not read this form",
      lead: "Part of it was missing or came twice. Nothing was changed.",
      advice: ["Open the page again and repeat what you wanted to do."],
    },
    tpp_blocked: {
      title: "We have blocked the company behind this application",
      lead: "It has no access to your accounts with us at present, and cannot ask for any. We are not sending you back to the application. Nothing was shared.",
      advice: [
        "Close this page. Do not enter your sign-in details in the application.",
        "If you want to know more, contact us and give the reference below.",
      ],
    },
    request_unacceptable: {
      title: "The application sent you with a request that we cannot accept",
      lead: "We cannot send you back either, because we cannot tell where the request came from. Nothing was shared.",
      advice: [
        "Close this page and return to the application.",
        "If it happens again, tell the company behind the application and give the reference below.",
      ],
    },
    not_found: {
      title: "There is no such page",
      lead: "The address may be incomplete or mistyped.",
      advice: ["If an application sent you here, return to it and start again."],
    },
    request_refused: {
      title: "We could not process this request",
      lead: "Your browser sent something that we do not expect here. Nothing was changed.",
      advice: ["Go back and try again."],
    },
    unavailable: {
      title: "The service is not available at the moment",
      lead: "This is not your fault, and it usually does not last long.",
      advice: ["Try again in a moment. You will see how far you got."],
    },
    resumption_unavailable: {
      title: "The service is not available at the moment",
      lead: "This is not your fault, and it usually does not last long.",
      advice: [
        "Try again in a moment.",
        "If this page is no longer valid then, return to the application that sent you here and start again.",
      ],
    },
    return_address_removed: {
      title: "We cannot send you back to the application",
      lead: "The application has withdrawn the address to which it had asked us to send you. If you had agreed already, your consent is given.",
      advice: [
        "If you had agreed, you can see your consent among all your consents, and withdraw it there.",
        "Otherwise open the application and start again there.",
      ],
    },
    failed: {
      title: "Something went wrong on our side",
      lead: "This was not your fault.",
      advice: [
        "Try again. You will see how far you got.",
        "If it happens again, contact us and give the reference below.",
      ],
    },
  },
  authorities: new Map<string, string>(),
  names: { cs: "Čeština", en: "English" },
  locale: "en-GB",
};
