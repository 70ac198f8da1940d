/** What the pages say about given consents and long lists, in English. */
export const consentsEn = {
  phrases: {
    consents_link: "Who has access to your accounts",
    consents_title: "Who has access to your accounts",
    consents_lead:
      "You have given consent to these companies. You can withdraw each consent at any time, free of charge.",
    consents_active: "Access now",
    consents_none: "No company has access to your accounts.",
    consents_over: "Access that has ended",
    consents_back: "Back to all consents",
    consent_of: "Access for {tpp}",
    done_consent_withdrawn:
      "The consent that you gave {tpp} has ended. From now on we refuse everything that the company asks for under it.",
    done_card_consent_withdrawn: "The consent that you gave {tpp} for the account {iban} has ended.",
    consent_over: "This access has ended",
    consent_withdrawn: "You have withdrawn access",
    consent_replaced_hint: "A newer consent for the same application is still in force.",
    consent_may: "What it may do",
    consent_might: "What it could do",
    consent_aisp: "See account information",
    consent_pisp: "Send payment orders, each of which you approve",
    consent_pisp_checks: "Ask whether a certain amount is in an account (yes or no, never the balance)",
    consent_accounts: "Accounts",
    consent_accounts_count: "Number of accounts: {count}",
    consent_since: "Since",
    consent_used: "Last used",
    consent_used_never: "Not used yet",
    consent_used_hint: "Accurate to the minute. The latest use may appear a few seconds late.",
    consent_until: "Until",
    consent_end: "Ended",
    consent_details: "Details and history",
    consent_names_missing: "We cannot show the names of your accounts at the moment.",
    consent_withdraw_anyway: "You can withdraw access all the same.",
    consent_blocked:
      "We have blocked this company, so it cannot use this access now. You can withdraw it all the same.",
    account_gone: "An account that you no longer have with us",
    and_more: "and {count} more",
    application_gone: "No longer registered",
    history: "History of this application",
    history_given: "You gave consent.",
    history_replaced: "You gave consent again, in place of the earlier one.",

    ended_superseded: "Replaced by a newer consent that you gave.",
    ended_withdrawn: "Withdrawn by you.",
    ended_code_reused:
      "Ended by us for your security: a code that works only once came a second time from the company.",
    ended_refresh_token_revoked: "Given up by the company.",
    ended_application_deleted: "Ended because the application is no longer registered.",
    ended_scope_removed: "Ended because the application no longer offers this service.",
    ended_bank_revoked: "Ended by us. Contact us if you want to know why.",
    ended_psu_blocked: "Ended by us when your access was blocked.",
    ended_expired: "It has expired.",

    withdraw_title: "Withdraw access for {tpp} through “{application}”?",
    withdraw_title_company: "Withdraw access for {tpp}?",
    withdraw_lead:
      "It ends at once. From then on we refuse everything that the company asks for through this application.",
    withdraw_aisp:
      "Through this application it will no longer see anything of your accounts. It keeps what it has already seen; you can ask it to delete that.",
    withdraw_pisp:
      "Through this application it will no longer be able to send payment orders or to ask whether a certain amount is in an account. Its payments that you have already approved will be carried out; those that still wait for your approval are cancelled.",
    withdraw_again: "If you change your mind, give a new consent in the application.",
    withdraw_others:
      "This company also has access through another application. That access continues until you withdraw it separately:",
    withdraw_others_many:
      "This company also has access through other applications. That access continues until you withdraw it from each of them:",
    withdraw: "Withdraw access",
    keep: "Keep access",

    card_consents: "Card issuers that may check whether there is enough money in an account",
    card_consents_lead:
      "When you pay with their card, they may ask us whether the amount is available. They learn yes or no, never your balance.",
    card_consents_over: "Consents to card issuers that have ended",
    card_consent_may: "Ask whether an amount is available",
    card_consent_account: "Account",
    card_withdraw_lead:
      "It ends at once. From then on we refuse everything that the company asks for under this consent.",
    card_withdraw_effect:
      "Under this consent it will learn nothing more about the account. It may then refuse payments with its card.",
    card_withdraw_again: "If you change your mind, give us a new consent, for example at a branch.",

    former_title: "This application already has access",
    former_lead: "You have already given it consent. This is what it may do now:",
    former_changes: "What changes if you agree",
    former_ends: "The present consent ends at once, and the new one takes its place.",
    former_until: "Access ends on {to} instead of {from}.",
    former_accounts:
      "The application will see only the accounts that you choose now. The list says which ones it already sees.",
    former_adds_aisp: "New: it may see account information.",
    former_adds_pisp:
      "New: it may send payment orders, each of which you approve, and ask whether a certain amount is in an account.",
    former_drops_aisp: "It will no longer be able to see account information.",
    former_drops_pisp:
      "It will no longer be able to send payment orders or to ask whether a certain amount is in an account.",
    former_refuse: "If you do not agree, everything stays as it is.",
    account_shared: "It already sees this account",

    choice_all_paged: "All {count} of my accounts, including those that are not on this page of the list",
    find: "Search your accounts",
    find_hint: "By name, number, IBAN or currency. What you have ticked stays ticked.",
    find_button: "Search",
    find_found: "Accounts found: {count}",
    find_none: "No account matches. Try another word or part of the number.",
    find_none_ticked: "No account is ticked.",
    find_whole: "Show all accounts",
    ticked_count: "Ticked accounts: {count}",
    ticked_elsewhere: "Also ticked, but not shown here:",
    ticked_show: "Show only the ticked ones",
    page_of: "Page {page} of {pages}",
    page_newer: "Newer",
    page_older: "Older",
    page_next: "Next accounts",
    page_previous: "Previous accounts",
  },
  messages: {
    consent_unknown: {
      title: "There is no such consent",
      lead: "You have given no consent with this reference. Nothing was changed.",
      advice: [
        "Go back to your consents.",
        "If you signed in as somebody else before, sign in as them again.",
      ],
    },
  },
};
