import type { consentsEn } from "./consents-en.ts";

/** What the pages say about given consents and long lists, in Czech. */
export const consentsCs: typeof consentsEn = {
  phrases: {
    consents_link: "Kdo má přístup k\u00a0vašim účtům",
    consents_title: "Kdo má přístup k\u00a0vašim účtům",
    consents_lead: "Těmto společnostem jste dali souhlas. Každý souhlas můžete kdykoli bezplatně odvolat.",
    consents_active: "Přístup nyní",
    consents_none: "K\u00a0vašim účtům nemá přístup žádná společnost.",
    consents_over: "Přístup, který skončil",
    consents_back: "Zpět na všechny souhlasy",
    consent_of: "Přístup společnosti {tpp}",
    done_consent_withdrawn:
      "Souhlas, který jste dali společnosti {tpp}, skončil. Vše, o\u00a0co teď na jeho základě požádá, odmítneme.",
    done_card_consent_withdrawn: "Souhlas, který jste dali společnosti {tpp} pro účet {iban}, skončil.",
    consent_over: "Tento přístup skončil",
    consent_withdrawn: "Přístup jste odebrali",
    consent_replaced_hint: "Novější souhlas pro stejnou aplikaci stále platí.",
    consent_may: "Co smí",
    consent_might: "Co směla",
    consent_aisp: "Vidět informace o\u00a0účtech",
    consent_pisp: "Zasílat platební příkazy, z\u00a0nichž každý schvalujete",
    consent_pisp_checks: "Ptát se, zda je na účtu určitá částka (ano, nebo ne, nikdy zůstatek)",
    consent_accounts: "Účty",
    consent_accounts_count: "Počet účtů: {count}",
    consent_since: "Od",
    consent_used: "Naposledy použito",
    consent_used_never: "Zatím nepoužito",
    consent_used_hint:
      "S\u00a0přesností na minutu. Nejnovější použití se může objevit o\u00a0pár sekund později.",
    consent_until: "Do",
    consent_end: "Skončil",
    consent_details: "Podrobnosti a\u00a0historie",
    consent_names_missing: "Názvy vašich účtů teď nemůžeme zobrazit.",
    consent_withdraw_anyway: "Přístup můžete odebrat i\u00a0tak.",
    consent_blocked:
      "Tuto společnost jsme zablokovali, takže tento přístup teď nemůže použít. Odebrat ho můžete i\u00a0tak.",
    account_gone: "Účet, který už u\u00a0nás nemáte",
    and_more: "a\u00a0další: {count}",
    application_gone: "Už není registrovaná",
    history: "Historie této aplikace",
    history_given: "Dali jste souhlas.",
    history_replaced: "Dali jste nový souhlas místo dřívějšího.",

    ended_superseded: "Nahradil ho novější souhlas, který jste dali.",
    ended_withdrawn: "Odvolali jste souhlas.",
    ended_code_reused:
      "Ukončili jsme ho kvůli vaší bezpečnosti: kód, který platí jen jednou, přišel od společnosti podruhé.",
    ended_refresh_token_revoked: "Společnost se přístupu vzdala.",
    ended_application_deleted: "Skončil, protože aplikace už není registrovaná.",
    ended_scope_removed: "Skončil, protože aplikace už tuto službu nenabízí.",
    ended_bank_revoked: "Ukončili jsme ho my. Chcete-li znát důvod, kontaktujte nás.",
    ended_psu_blocked: "Ukončili jsme ho, když byl zablokován váš přístup.",
    ended_expired: "Jeho platnost skončila.",

    withdraw_title: "Odebrat přístup společnosti {tpp} přes aplikaci „{application}“?",
    withdraw_title_company: "Odebrat přístup společnosti {tpp}?",
    withdraw_lead:
      "Přístup skončí okamžitě. Vše, o\u00a0co pak společnost přes tuto aplikaci požádá, odmítneme.",
    withdraw_aisp:
      "Přes tuto aplikaci už o\u00a0vašich účtech nic neuvidí. Co už viděla, jí zůstává; můžete ji požádat, aby to smazala.",
    withdraw_pisp:
      "Přes tuto aplikaci už nebude moci zasílat platební příkazy ani se ptát, zda je na účtu určitá částka. Platby z\u00a0ní, které jste už schválili, se provedou; ty, které na vaše schválení teprve čekají, zrušíme.",
    withdraw_again: "Pokud si to rozmyslíte, dejte v\u00a0aplikaci nový souhlas.",
    withdraw_others:
      "Tato společnost má přístup i\u00a0přes jinou aplikaci. Ten trvá, dokud ho neodeberete zvlášť:",
    withdraw_others_many:
      "Tato společnost má přístup i\u00a0přes další aplikace. Ten trvá, dokud ho každé z\u00a0nich neodeberete zvlášť:",
    withdraw: "Odebrat přístup",
    keep: "Ponechat přístup",

    card_consents: "Vydavatelé karet, kteří smějí ověřovat, zda je na účtu dost peněz",
    card_consents_lead:
      "Když platíte jejich kartou, smějí se nás zeptat, zda je částka k\u00a0dispozici. Dozvědí se ano, nebo ne, nikdy váš zůstatek.",
    card_consents_over: "Souhlasy vydavatelům karet, které skončily",
    card_consent_may: "Ptát se, zda je částka k\u00a0dispozici",
    card_consent_account: "Účet",
    card_withdraw_lead:
      "Přístup skončí okamžitě. Vše, o\u00a0co pak společnost na základě tohoto souhlasu požádá, odmítneme.",
    card_withdraw_effect:
      "Na základě tohoto souhlasu se o\u00a0účtu už nic nedozví. Platby svou kartou pak může odmítat.",
    card_withdraw_again: "Pokud si to rozmyslíte, dejte nám nový souhlas, například na pobočce.",

    former_title: "Tato aplikace už přístup má",
    former_lead: "Souhlas jste jí už dali. Nyní smí toto:",
    former_changes: "Co se změní, když budete souhlasit",
    former_ends: "Dosavadní souhlas okamžitě skončí a\u00a0nahradí ho nový.",
    former_until: "Přístup skončí {to} místo {from}.",
    former_accounts:
      "Aplikace uvidí jen účty, které vyberete teď. U\u00a0těch, které vidí už nyní, je to uvedeno.",
    former_adds_aisp: "Nově bude smět vidět informace o\u00a0účtech.",
    former_adds_pisp:
      "Nově bude smět zasílat platební příkazy, z\u00a0nichž každý schvalujete, a\u00a0ptát se, zda je na účtu určitá částka.",
    former_drops_aisp: "Už nebude smět vidět informace o\u00a0účtech.",
    former_drops_pisp: "Už nebude smět zasílat platební příkazy ani se ptát, zda je na účtu určitá částka.",
    former_refuse: "Když nebudete souhlasit, vše zůstane, jak je.",
    account_shared: "Tento účet vidí už nyní",

    choice_all_paged: "Všechny moje účty\u00a0({count}), i\u00a0ty, které na této stránce seznamu nejsou",
    find: "Hledat v\u00a0účtech",
    find_hint: "Podle názvu, čísla, IBAN nebo měny. Co jste zaškrtli, zůstane zaškrtnuté.",
    find_button: "Hledat",
    find_found: "Nalezené účty: {count}",
    find_none: "Žádný účet neodpovídá. Zkuste jiné slovo nebo část čísla.",
    find_none_ticked: "Žádný účet není zaškrtnutý.",
    find_whole: "Zobrazit všechny účty",
    ticked_count: "Zaškrtnuté účty: {count}",
    ticked_elsewhere: "Také zaškrtnuté, ale zde nezobrazené:",
    ticked_show: "Zobrazit jen zaškrtnuté",
    page_of: "Stránka {page} (celkem {pages})",
    page_newer: "Novější",
    page_older: "Starší",
    page_next: "Další účty",
    page_previous: "Předchozí účty",
  },
  messages: {
    consent_unknown: {
      title: "Takový souhlas neexistuje",
      lead: "Souhlas s\u00a0tímto označením jste nedali. Nic se nezměnilo.",
      advice: [
        "Vraťte se ke svým souhlasům.",
        "Pokud jste předtím byli přihlášeni jako někdo jiný, přihlaste se tak znovu.",
      ],
    },
  },
};
