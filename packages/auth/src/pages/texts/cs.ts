import { consentsCs } from "./consents-cs.ts";
import { signingCs } from "./signing-cs.ts";
import type { Texts } from "./texts.ts";

/** Everything that the pages say, in Czech. `{…}` are filled in by the pages. */
export const cs: Texts = {
  phrases: {
    ...consentsCs.phrases,
    ...signingCs.phrases,
    docs_title: "Rozhraní pro poskytovatele služeb",
    docs_lead:
      "Co zde může licencovaný poskytovatel volat a\u00a0jak. Popis je v\u00a0angličtině. Na této stránce se nedá nic vyzkoušet: k\u00a0volání je potřeba certifikát poskytovatele.",
    docs_document: "Totéž pro programy (OpenAPI 3.1)",
    error_prefix: "Chyba",
    skip_link: "Přejít k\u00a0obsahu",
    languages: "Jazyk",
    contact: "Jak nás kontaktovat",
    privacy_link: "Jak nakládáme s\u00a0vašimi osobními údaji",
    address_hint: "Přihlašovací údaje zadávejte, jen když adresa začíná {origin}/.",
    step_of: "Krok {step} ze {steps}",
    cancel_to: "Zrušit a\u00a0vrátit se na {host}",
    cancel_to_application: "Zrušit a\u00a0vrátit se do aplikace",
    return_to: "Vrátit se na {host}",
    return_to_application: "Vrátit se do aplikace",
    try_again: "Zkusit znovu",
    request_id: "Označení pro naši podporu",
    reason: "Pro vývojáře aplikace",

    sign_in_title: "Přihlášení",
    sign_in_tab_authorization: "Přihlášení k\u00a0rozhodnutí o\u00a0souhlasu",
    sign_in_tab_signing: "Přihlášení k\u00a0rozhodnutí o\u00a0platbě",
    sign_in_tab_consents: "Přihlášení k\u00a0vašim souhlasům",
    sign_in_tab_authenticator: "Přihlášení ke správě přihlašování",
    sign_in_lead_authorization:
      "{tpp} žádá o\u00a0váš souhlas. Nejdříve se přihlaste. Rozhodnete se na další stránce a\u00a0bez vašeho souhlasu žádné údaje nepředáme.",
    sign_in_lead_signing:
      "Společnost {tpp} nám vaším jménem poslala platební příkaz. Nejdříve se přihlaste. Příkaz uvidíte na další stránce a\u00a0bez vašeho schválení z\u00a0účtu nic neodejde.",
    sign_in_lead_consents: "Přihlaste se, abyste viděli, s\u00a0čím jste souhlasili, a\u00a0mohli to změnit.",
    sign_in_lead_authenticator: "Přihlaste se, abyste viděli, čím se přihlašujete, a\u00a0mohli to změnit.",
    sign_in_by:
      "Na přihlášení máte z\u00a0bezpečnostních důvodů čas do\u00a0{time} pražského času. Potom byste museli začít znovu v\u00a0aplikaci.",
    sign_in_ended:
      "Vaše předchozí přihlášení už tu neplatí. Přihlaste se prosím znovu. Co jste odeslali po jeho skončení, jsme neprovedli.",
    sign_in_late:
      "Na každou stránku přihlášení máte deset minut. Ta, kterou jste odeslali, už neplatila a\u00a0nic jsme z\u00a0ní nepřijali. Přihlaste se prosím znovu.",
    sign_in_used:
      "Stránka přihlášení, kterou jste odeslali, už neplatila: možná jste tlačítko stiskli dvakrát, nebo jste se odhlásili v\u00a0jiném okně. Přihlaste se prosím znovu. Pokud jste zadali kód z\u00a0aplikace, počkejte na další. Pokud jste právě nastavili ověřovací aplikaci, zkuste kód z\u00a0ní.",
    sign_in_unconfirmed:
      "Pokud jste přidávali přístupový klíč nebo nastavovali aplikaci a\u00a0nepotvrdili jsme vám to, zkuste se jimi nejdříve přihlásit. Když je nepřijmeme, smažte, co se uložilo do zařízení nebo do aplikace: neplatí to.",
    asking: "Kdo žádá",
    username: "Uživatelské jméno",
    password: "Heslo",
    one_time_code: "Jednorázový kód",
    one_time_code_hint:
      "Šest číslic z\u00a0vaší ověřovací aplikace. Každý kód platí jen jednou. Ještě aplikaci nemáte? Zadejte aktivační kód, který jste od nás dostali.",
    sign_in: "Přihlásit se",
    sign_out: "Odhlásit se",

    passkey: "Přístupový klíč",
    passkey_hint: "Stačí otisk prstu, obličej nebo PIN vašeho zařízení. Jméno ani heslo nezadáváte.",
    passkey_sign_in: "Přihlásit se přístupovým klíčem",
    passkey_for_code: "Místo kódu použít přístupový klíč",
    passkey_failed: "Přístupový klíč se nepodařilo použít. Zkuste to znovu, nebo pokračujte bez něj.",
    passkey_here: "Na tomto zařízení už přístupový klíč máte. Použijte ho, nebo přidejte jiné zařízení.",
    passkeys: "Přístupové klíče",
    passkeys_lead:
      "S\u00a0přístupovým klíčem se přihlásíte otiskem prstu, obličejem nebo PINem zařízení a\u00a0po 24\u00a0hodinách od přidání jím schválíte i\u00a0platbu. Nikdo ho z\u00a0vás nevyláká, protože funguje jen na těchto stránkách.",
    passkeys_full: "Máte jich deset, více jich mít nemůžete. Než přidáte další, některý odeberte.",
    passkeys_unavailable:
      "Chcete-li přidat přístupový klíč, otevřete tuto stránku v\u00a0prohlížeči, který přístupové klíče podporuje a\u00a0smí spouštět JavaScript.",
    passkey_unnamed: "Přístupový klíč bez názvu",
    passkey_added: "Přidán {time}",
    passkey_used: "Naposledy použit {time}",
    passkey_unused: "Zatím nepoužit",
    passkey_name: "Název nového klíče",
    passkey_name_hint: "Podle něj klíč poznáte, třeba „telefon“ nebo „počítač v\u00a0práci“.",
    passkey_add: "Přidat přístupový klíč",
    passkey_remove: "Odebrat „{name}“",
    passkey_remove_title: "Odebrat přístupový klíč „{name}“?",
    passkey_remove_title_unnamed: "Odebrat přístupový klíč bez názvu?",
    passkey_remove_lead: "Přestane platit okamžitě a\u00a0vzít to zpět nelze.",
    passkey_remove_effect:
      "Už se jím nikdo nepřihlásí ani neschválí platbu. Ostatní způsoby přihlášení vám zůstanou.",
    passkey_remove_elsewhere:
      "Tady zůstanete přihlášeni. Ve všech ostatních prohlížečích vás odhlásíme; pokud v\u00a0některém z\u00a0nich právě dáváte souhlas, budete muset začít v\u00a0aplikaci znovu.",
    passkey_remove_again:
      "Pokud si to rozmyslíte, přidejte nový klíč. Schvalovat jím platby budete moci až po 24\u00a0hodinách.",
    passkey_remove_this: "Odebrat klíč",
    passkey_keep: "Ponechat klíč",
    notice_passkey_added:
      "{bank}: {time} pražského času byl k\u00a0vašemu přihlašování přidán přístupový klíč. Kdo ho má, může se za vás přihlásit a\u00a0po 24\u00a0hodinách i\u00a0schvalovat platby. Pokud jste ho nepřidali vy, hned ho na naší stránce odeberte a\u00a0ozvěte se nám.",
    notice_passkey_removed:
      "{bank}: {time} pražského času byl z\u00a0vašeho přihlašování odebrán přístupový klíč. Pokud jste ho neodebrali vy, hned se nám ozvěte.",
    notice_authenticator_enrolled:
      "{bank}: {time} pražského času byla pro vaše přihlašování nastavena ověřovací aplikace. Kódy z\u00a0dřívější už neplatí. Pokud jste ji nenastavili vy, hned se nám ozvěte.",
    notice_name: "Klíč má název „{name}“.",
    done_authenticator_enrolled:
      "Ověřovací aplikace je nastavená. Odteď se vás při přihlášení budeme ptát na její kódy. Aplikace, kterou jste používali dříve, už neplatí. Ve všech ostatních prohlížečích jsme vás odhlásili.",
    done_passkey_added:
      "Přístupový klíč je přidaný. Přihlašovat se jím můžete hned, schvalovat platby až po 24\u00a0hodinách.",
    done_passkey_removed:
      "Přístupový klíč je odebraný. Už se jím nikdo nepřihlásí ani neschválí platbu. Pokud ho vaše zařízení dál nabízí, smažte ho i\u00a0v\u00a0něm.",
    fault_passkey_not_added: "Přístupový klíč se nepodařilo přidat. Zkuste to znovu.",
    fault_passkey_known: "Tento přístupový klíč už je přidaný. Použijte ho, nebo přidejte jiný.",
    fault_changed_too_often: "Za poslední hodinu jste provedli příliš mnoho změn. Zkuste to za hodinu.",
    fault_passkey_last: "Bez tohoto klíče byste se neměli jak přihlásit. Nejdříve přidejte jiný.",

    authenticator_title: "Jak se přihlašujete",
    authenticator_change_by:
      "Změnit tu něco můžete z\u00a0bezpečnostních důvodů do\u00a0{time} pražského času. Potom byste se museli přihlásit znovu.",
    authenticator_app: "Ověřovací aplikace",
    authenticator_lead: "Přihlašujete se heslem a\u00a0kódem z\u00a0ověřovací aplikace.",
    authenticator_replace_hint:
      "Máte nový telefon? Nastavte si aplikaci v\u00a0něm. Ta, kterou používáte teď, pak přestane platit a\u00a0ve všech ostatních prohlížečích vás odhlásíme.",
    authenticator_replace: "Nastavit jinou aplikaci",
    authenticator_keep: "Nechat si dosavadní aplikaci",
    enrolment_title: "Nastavte si ověřovací aplikaci",
    enrolment_lead:
      "Aplikace vám odteď bude ukazovat jednorázový kód pro každé přihlášení. Poslouží jakákoli aplikace pro časově omezené kódy.",
    enrolment_confirm_by:
      "Aplikaci potvrďte z\u00a0bezpečnostních důvodů do\u00a0{time} pražského času. Potom klíč z\u00a0této stránky přestane platit: museli byste ho z\u00a0aplikace smazat a\u00a0začít znovu.",
    enrolment_scan: "Načtěte tento obrázek aplikací",
    enrolment_picture: "QR kód pro ověřovací aplikaci; stejný klíč je níže jako text",
    enrolment_here: "Otevřít v\u00a0aplikaci na tomto zařízení",
    enrolment_type: "Nebo do aplikace opište tento klíč",
    enrolment_code: "Kód z\u00a0aplikace",
    enrolment_code_hint: "Šest číslic. Podle nich poznáme, že je aplikace nastavená.",
    enrolment_confirm: "Potvrdit",

    consent_title_aisp: "Chcete sdílet informace o\u00a0svých účtech?",
    consent_title_pisp: "Chcete povolit platební příkazy?",
    consent_title_both: "Chcete sdílet informace o\u00a0účtech a\u00a0povolit platební příkazy?",
    consent_lead_aisp: "{tpp} žádá o\u00a0přístup k\u00a0účtům, které vyberete.",
    consent_lead_pisp: "{tpp} žádá o\u00a0možnost zasílat nám vaším jménem platební příkazy.",
    consent_lead_both:
      "{tpp} žádá o\u00a0přístup k\u00a0účtům, které vyberete, a\u00a0o\u00a0možnost zasílat nám vaším jménem platební příkazy.",
    consent_lead_aisp_single: "{tpp} žádá o\u00a0přístup k\u00a0vašemu účtu.",
    consent_lead_both_single:
      "{tpp} žádá o\u00a0přístup k\u00a0vašemu účtu a\u00a0o\u00a0možnost zasílat nám vaším jménem platební příkazy.",
    signed_in_as: "Přihlášený klient: {name}",
    company: "Společnost",
    company_proof: "Ověřeno certifikátem",
    authority: "Licencující orgán",
    registration: "Číslo oprávnění",
    application: "Aplikace",
    application_claim: "Tento název si zvolila společnost. Neověřovali jsme ho.",
    quote_open: "„",
    quote_close: "“",

    what: "Co byste povolili",
    aisp_title: "Informace o\u00a0účtech",
    aisp_sees:
      "Vidět název, druh, číslo, měnu, zůstatek a\u00a0sjednané přečerpání účtů, které níže vyberete",
    aisp_transactions: "Vidět pohyby na těchto účtech",
    aisp_sees_single: "Vidět název, druh, číslo, měnu, zůstatek a\u00a0sjednané přečerpání vašeho účtu",
    aisp_transactions_single: "Vidět pohyby na tomto účtu",
    aisp_repeatedly: "A\u00a0to opakovaně, dokud souhlas platí, i\u00a0když aplikaci zrovna nepoužíváte",
    aisp_only_not: "Žádnou platbu tím nepovolujete.",
    pisp_title: "Platební příkazy",
    pisp_sends: "Zasílat nám platební příkazy z\u00a0vašich platebních účtů",
    pisp_sends_shared: "Zasílat nám platební příkazy z\u00a0účtů, které budete sdílet",
    pisp_sends_single: "Zasílat nám platební příkazy z\u00a0tohoto účtu",
    pisp_checks_single:
      "Ptát se nás, zda je na tomto účtu určitá částka: dozví se ano, nebo ne, nikdy zůstatek",
    pisp_checks_shared:
      "Ptát se nás, zda je na některém z\u00a0těchto účtů určitá částka: dozví se ano, nebo ne, nikdy zůstatek",
    pisp_checks: "Ptát se nás, zda je na platebním účtu určitá částka: dozví se ano, nebo ne, nikdy zůstatek",
    pisp_each: "Každou jednotlivou platbu schvalujete zvlášť, přímo u\u00a0nás. Bez toho se nic nezaplatí.",
    pisp_only_not: "Zůstatky ani pohyby na vašich účtech tím společnosti neukážete.",
    secrets_not: "Vaše heslo ani kódy se společnost nedozví. Zadáváte je jen u\u00a0nás.",

    until: "Do kdy",
    until_date: "Do {date}",
    until_days: "Souhlas by platil {days} od dnešního přihlášení. Potom vás musí společnost požádat znovu.",

    accounts: "Které účty",
    accounts_for_both:
      "Výběr platí i\u00a0pro platební příkazy a\u00a0pro dotazy na částku: ostatních účtů se souhlas netýká.",
    accounts_single: "Máte jeden platební účet. Sdílel by se tento účet:",
    choice: "Co chcete sdílet?",
    choice_all: "Všechny zde uvedené účty\u00a0({count})",
    choice_all_hint: "Účty, které si založíte později, v\u00a0tom nejsou.",
    choice_some: "Jen účty, které zaškrtnu",
    account_list: "Vaše účty",
    account_group: "Účty v\u00a0měně {currency}",
    account_number: "Číslo účtu",
    iban: "IBAN",

    next: "Co bude následovat",
    next_return:
      "Ať se rozhodnete jakkoli, vrátíte se na {host}. Společnost se pak dozví, zda jste souhlasili.",
    next_return_application:
      "Ať se rozhodnete jakkoli, vrátíte se do aplikace. Společnost se pak dozví, zda jste souhlasili.",
    next_withdraw: "Souhlas můžete kdykoli odvolat, v\u00a0aplikaci nebo u\u00a0nás.",
    decide_by:
      "Na rozhodnutí máte z\u00a0bezpečnostních důvodů čas do\u00a0{time} pražského času. Potom byste museli začít znovu v\u00a0aplikaci.",
    agree: "Souhlasím",
    refuse: "Nesouhlasím",

    fault_summary: "Zkontrolujte prosím",
    fault_sign_in_refused:
      "Přihlášení se nezdařilo. Zkontrolujte uživatelské jméno, heslo a\u00a0jednorázový kód. Pokud jste kód už použili, počkejte na nový.",
    fault_passkey_refused:
      "Přihlášení tímto přístupovým klíčem se nezdařilo. Zkuste to znovu, nebo zadejte uživatelské jméno, heslo a\u00a0jednorázový kód.",
    fault_passkey_late:
      "Odpověď přístupového klíče přišla pozdě. Čekáme na ni pět minut, a\u00a0proto jsme ji nepřijali. Zkuste to znovu.",
    fault_username_missing: "Zadejte uživatelské jméno",
    fault_password_missing: "Zadejte heslo",
    fault_code_missing: "Zadejte jednorázový kód z\u00a0ověřovací aplikace",
    fault_code_wrong:
      "To není kód, který aplikace právě ukazuje. Ověřte, že aplikace převzala klíč z\u00a0této stránky.",
    fault_choice_missing: "Zvolte, zda chcete sdílet všechny účty, nebo jen ty, které zaškrtnete",
    fault_account_missing: "Zaškrtněte alespoň jeden účet",
    fault_choice_ambiguous:
      "Zvolili jste všechny účty, ale zaškrtli jen některé. Vyberte jednu z\u00a0možností.",
    fault_account_unknown:
      "Formulář obsahoval účet, který není váš. Žádné údaje jsme nepředali. Vyberte z\u00a0účtů níže.",
    fault_changed:
      "Něco se na této stránce změnilo od chvíle, kdy jste ji otevřeli. Žádné údaje jsme nepředali. Než se rozhodnete, přečtěte si ji znovu.",
  },
  messages: {
    ...consentsCs.messages,
    ...signingCs.messages,
    interaction_unknown: {
      title: "Tato stránka už neplatí",
      lead: "Žádost už byla vyřízena, čekala příliš dlouho, začala v\u00a0jiném prohlížeči, nebo se mezitím ve stejném prohlížeči přihlásil někdo jiný. Nic se tím nezměnilo.",
      advice: [
        "Pokud jste se sem dostali tlačítkem Zpět, vraťte se tlačítkem Vpřed.",
        "Jinak se vraťte do aplikace, která vás sem poslala, a\u00a0začněte znovu.",
        "Zůstaňte ve stejném prohlížeči, dokud nebudete zpět v\u00a0aplikaci.",
      ],
    },
    cookies_missing: {
      title: "Váš prohlížeč neposlal naše soubory cookie",
      lead: "Soubory cookie potřebujeme, abychom věděli, že jste to stále vy. Žádné údaje jsme nepředali.",
      advice: [
        "Povolte pro tento web soubory cookie a\u00a0začněte znovu. Pokud vás sem poslala aplikace, začněte znovu v\u00a0ní.",
        "Pokud jste adresu zkopírovali z\u00a0jiného prohlížeče, pokračujte v\u00a0něm.",
      ],
    },
    session_idle: {
      title: "Vaše přihlášení skončilo",
      lead: "Z\u00a0bezpečnostních důvodů máte na rozhodnutí pět minut od přihlášení. Přihlášení skončí dříve, když se odhlásíte, když se ve stejném prohlížeči přihlásí někdo jiný nebo když jinde změníte to, čím se přihlašujete. Žádné údaje jsme nepředali.",
      advice: ["Vraťte se do aplikace a\u00a0začněte znovu."],
    },
    accounts_unavailable: {
      title: "Vaše účty teď nemůžeme zobrazit",
      lead: "Žádné údaje jsme nepředali ani neuložili.",
      advice: [
        "Zkuste to za chvíli znovu.",
        "Pokud to nepomůže, vraťte se do aplikace a\u00a0přijďte později.",
      ],
    },
    accounts_none: {
      title: "Nemáte účet, který by se dal sdílet",
      lead: "Nevedeme na vaše jméno žádný platební účet, kterého by se souhlas mohl týkat. Žádné údaje jsme nepředali.",
      advice: ["Vraťte se do aplikace. Pokud tu měl být váš účet, obraťte se na nás."],
    },
    sign_in_blocked: {
      title: "Přihlášení je na čas zablokováno",
      lead: "S\u00a0tímto uživatelským jménem bylo příliš mnoho neúspěšných pokusů. Zablokování potrvá do {time} pražského času a\u00a0skončí samo.",
      advice: [
        "Zkuste to znovu po {time}.",
        "Pokud jste to nebyli vy, obraťte se na nás. Žádný z\u00a0pokusů neuspěl.",
      ],
    },
    passkey_blocked: {
      title: "Přístupový klíč je na čas zablokován",
      lead: "S\u00a0tímto přístupovým klíčem bylo příliš mnoho neúspěšných pokusů. Zablokování potrvá do {time} pražského času a\u00a0skončí samo.",
      advice: [
        "Přihlaste se uživatelským jménem, heslem a\u00a0jednorázovým kódem, nebo klíč zkuste znovu po {time}.",
        "Pokud jste to nebyli vy, obraťte se na nás. Žádný z\u00a0pokusů neuspěl.",
      ],
    },
    signed_out: {
      title: "Odhlásili jste se",
      lead: "V\u00a0tomto prohlížeči teď nikdo nemůže pokračovat bez nového přihlášení. Souhlasy, které jste dali, platí dál.",
      advice: ["Tuto stránku můžete zavřít."],
    },
    sign_in_refused: {
      title: "Nepodařilo se vás přihlásit",
      lead: "Přihlášení nebylo dokončeno, nebo nebylo dostatečně zabezpečené. Žádné údaje jsme nepředali a\u00a0nic jsme nezaplatili.",
      advice: ["Zkuste to znovu.", "Pokud se to opakuje, kontaktujte nás a\u00a0uveďte označení níže."],
    },
    sign_in_late: {
      title: "Vaše přihlášení tu neplatí",
      lead: "Trvalo déle než deset minut, které máte na přihlášení a\u00a0návrat sem, nebo začalo v\u00a0jiném prohlížeči. Nic jsme z\u00a0něj nepřijali. Žádné údaje jsme nepředali a\u00a0nic jsme nezaplatili.",
      advice: ["Přihlaste se prosím znovu."],
    },
    busy: {
      title: "Přihlašuje se příliš mnoho lidí",
      lead: "Vaše přihlášení jsme teď nemohli přijmout. Jako neúspěšný pokus se nepočítá.",
      advice: ["Zkuste to za několik sekund znovu."],
    },
    rate_limited: {
      title: "Příliš mnoho požadavků",
      lead: "Z\u00a0vaší sítě nebo pro tuto aplikaci přišlo více požadavků, než kolik jich najednou vyřídíme. Nic se nezměnilo a\u00a0jako neúspěšné přihlášení se to nepočítá.",
      advice: ["Počkejte minutu a\u00a0zkuste to znovu."],
    },
    form_untrusted: {
      title: "Tento formulář jsme nemohli přijmout",
      lead: "Nepřišel ze stránky, kterou jsme vám ukázali, nebo ta stránka už neplatila. Nic se nezměnilo.",
      advice: [
        "Otevřete stránku znovu a\u00a0zopakujte, co jste chtěli udělat.",
        "Pokud to nepomůže a\u00a0poslala vás sem aplikace, vraťte se do ní a\u00a0začněte znovu.",
      ],
    },
    form_malformed: {
      title: "Tento formulář jsme nemohli přečíst",
      lead: "Něco v\u00a0něm chybělo nebo přišlo dvakrát. Nic se nezměnilo.",
      advice: ["Otevřete stránku znovu a\u00a0zopakujte, co jste chtěli udělat."],
    },
    tpp_blocked: {
      title: "Společnost, která aplikaci provozuje, jsme zablokovali",
      lead: "K\u00a0vašim účtům u\u00a0nás teď nemá přístup a\u00a0nemůže o\u00a0něj žádat. Zpět do aplikace vás neposíláme. Žádné údaje jsme nepředali.",
      advice: [
        "Zavřete tuto stránku. Nezadávejte v\u00a0aplikaci své přihlašovací údaje.",
        "Pokud chcete vědět více, obraťte se na nás a\u00a0uveďte označení níže.",
      ],
    },
    request_unacceptable: {
      title: "Aplikace nám poslala žádost, kterou nemůžeme přijmout",
      lead: "Ani zpět vás poslat nemůžeme, protože nevíme, odkud žádost přišla. Žádné údaje jsme nepředali.",
      advice: [
        "Zavřete tuto stránku a\u00a0vraťte se do aplikace.",
        "Pokud se to stane znovu, dejte vědět společnosti, která aplikaci provozuje, a\u00a0uveďte označení níže.",
      ],
    },
    not_found: {
      title: "Taková stránka neexistuje",
      lead: "Adresa je možná neúplná nebo obsahuje překlep.",
      advice: ["Pokud vás sem poslala aplikace, vraťte se do ní a\u00a0začněte znovu."],
    },
    request_refused: {
      title: "Tento požadavek jsme nemohli zpracovat",
      lead: "Váš prohlížeč poslal něco, co tu nečekáme. Nic se nezměnilo.",
      advice: ["Vraťte se a\u00a0zkuste to znovu."],
    },
    unavailable: {
      title: "Služba teď není dostupná",
      lead: "Není to vaše chyba a\u00a0zpravidla to netrvá dlouho.",
      advice: ["Zkuste to za chvíli znovu. Uvidíte, kde jste skončili."],
    },
    resumption_unavailable: {
      title: "Služba teď není dostupná",
      lead: "Není to vaše chyba a\u00a0zpravidla to netrvá dlouho.",
      advice: [
        "Zkuste to za chvíli znovu.",
        "Pokud tato stránka už nebude platit, vraťte se do aplikace, která vás sem poslala, a\u00a0začněte znovu.",
      ],
    },
    return_address_removed: {
      title: "Nemůžeme vás vrátit do aplikace",
      lead: "Aplikace zrušila adresu, na kterou jsme vás měli vrátit. Pokud jste už souhlasili, váš souhlas je udělen.",
      advice: [
        "Pokud jste souhlasili, najdete svůj souhlas mezi všemi souhlasy a\u00a0můžete ho tam odvolat.",
        "Jinak otevřete aplikaci a\u00a0začněte v\u00a0ní znovu.",
      ],
    },
    failed: {
      title: "Na naší straně došlo k\u00a0chybě",
      lead: "Nebyla to vaše chyba.",
      advice: [
        "Zkuste to znovu. Uvidíte, kde jste skončili.",
        "Pokud se to stane znovu, obraťte se na nás a\u00a0uveďte označení níže.",
      ],
    },
  },
  authorities: new Map([["CZ-CNB", "Česká národní banka"]]),
  names: { cs: "Čeština", en: "English" },
  locale: "cs-CZ",
};
