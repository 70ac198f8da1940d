import type { signingEn } from "./signing-en.ts";

/** What the pages of signing say, in Czech. */
export const signingCs: typeof signingEn = {
  phrases: {
    order_title: "Schvalujete tuto platbu?",
    order_lead:
      "Společnost {tpp} nám vaším jménem poslala tento příkaz. Přečtěte si každý řádek: zaplatíme přesně to, co tu stojí, a\u00a0jen když to schválíte.",
    order_heading: "Platební příkaz",
    order_amount: "Částka",
    order_exchange_made:
      "Účet, ze kterého platíte, není veden v\u00a0měně {currency}. Částku přepočteme naším kurzem, takže to, co z\u00a0účtu odepíšeme, se může lišit od přepočtu, který jste viděli jinde.",
    order_exchange_unknown:
      "Pokud účet, ze kterého platíte, není veden v\u00a0měně {currency}, přepočteme částku naším kurzem a\u00a0to, co z\u00a0účtu odepíšeme, se může lišit od přepočtu, který jste viděli jinde.",
    order_creditorName: "Příjemce",
    order_creditorAddress: "Adresa příjemce",
    order_creditorIban: "Na účet",
    order_creditorNumber: "Na účet",
    order_creditorCurrency: "Měna účtu příjemce",
    order_creditorBic: "Banka příjemce (BIC)",
    order_creditorBank: "Banka příjemce",
    order_ultimateCreditor: "Konečný příjemce",
    order_debtorIban: "Z\u00a0účtu",
    order_debtorCurrency: "Měna vašeho účtu",
    order_ultimateDebtor: "Původní plátce",
    order_executionDate: "Datum provedení",
    order_soon: "Ihned po schválení",
    order_priority: "Druh platby",
    order_priority_NORM: "Běžná platba",
    order_priority_HIGH: "Přednostní platba",
    order_priority_INST: "Okamžitá platba",
    order_message: "Zpráva pro příjemce",
    order_variableSymbol: "Variabilní symbol",
    order_constantSymbol: "Konstantní symbol",
    order_specificSymbol: "Specifický symbol",
    order_endToEndIdentification: "Reference plátce",
    order_purpose: "Účel",
    order_chargeBearer: "Bankovní poplatky",
    order_chargeBearer_DEBT: "Všechny platíte vy",
    order_chargeBearer_CRED: "Všechny platí příjemce",
    order_chargeBearer_SHAR: "Vy i\u00a0příjemce platíte každý své bance",
    order_chargeBearer_SLEV: "Vy i\u00a0příjemce platíte každý své bance",
    order_fee: "Náš poplatek",
    order_instructionIdentification: "Označení od aplikace",
    order_paymentId: "Označení platby",
    order_wait_until:
      "Příkaz na vás čeká do\u00a0{time} pražského času dne\u00a0{date}. Když se nerozhodnete, neprovedeme ho.",
    bound_code_heading: "Schválení kódem",
    bound_code: "Kód z\u00a0naší zprávy",
    bound_code_hint:
      "Poslali jsme vám zprávu s\u00a0osmi číslicemi. Platí jen pro tento příkaz a\u00a0jen pět minut. Schvalte, jen když je ve zprávě stejná částka a\u00a0stejný účet příjemce.",
    bound_code_text:
      "{bank}: kódem {code} schválíte platbu {amount} na účet {account}, příjemce „{payee}“. Zadejte ho jen na naší stránce a\u00a0nikomu ho neříkejte. Pokud jste platbu nezadali, ozvěte se nám.",
    bound_code_text_account:
      "{bank}: kódem {code} schválíte platbu {amount} na účet {account}. Zadejte ho jen na naší stránce a\u00a0nikomu ho neříkejte. Pokud jste platbu nezadali, ozvěte se nám.",
    order_next:
      "Když platbu schválíte, potvrdíme ji tady a\u00a0ukážeme vám cestu zpět na {host}. Když ji odmítnete, vrátíte se tam hned a\u00a0příkaz už schválit nepůjde.",
    order_next_application:
      "Když platbu schválíte, potvrdíme ji tady a\u00a0ukážeme vám cestu zpět do aplikace. Když ji odmítnete, vrátíte se tam hned a\u00a0příkaz už schválit nepůjde.",
    approve_payment: "Schválit platbu",
    refuse_payment: "Odmítnout platbu",
    new_code: "Poslat nový kód",
    done_code_sent: "Poslali jsme vám nový kód. Dřívější už neplatí.",
    sign_in_as_other: "Přihlásit se jako někdo jiný",
    decided_at: "Čas: {time}",
    inbox_link: "Sandbox: otevřít zprávy",
    inbox_title: "Zprávy sandboxu",
    inbox_lead: "Tato stránka nahrazuje telefon. Banka posílá zprávy jen klientovi.",
    inbox_empty: "Není tu žádná zpráva.",
    passkey_order_heading: "Schválení přístupovým klíčem",
    passkey_order_hint: "Kód pak nepotřebujete. Klíčem schválíte právě tento příkaz a\u00a0žádný jiný.",
    passkey_approve: "Schválit přístupovým klíčem",
    passkey_order_elsewhere:
      "Přístupové klíče v\u00a0tomto prohlížeči nefungují. Otevřete stránku v\u00a0jiném.",
    fault_passkey_wrong:
      "Příkaz se tímto přístupovým klíčem schválit nepodařilo. Zkuste to znovu, nebo zadejte kód.",
    fault_passkey_wrong_alone: "Příkaz se tímto přístupovým klíčem schválit nepodařilo. Zkuste to znovu.",
    fault_bound_code_missing: "Zadejte kód z\u00a0naší zprávy",
    fault_bound_code_none:
      "Pro tento příkaz teď v\u00a0tomto prohlížeči žádný kód neplatí. Nechte si poslat nový.",
    fault_bound_code_wrong:
      "Tímto kódem tento příkaz schválit nelze. Zadejte nejnovější, nebo si nechte poslat nový; každý platí pět minut. Po pěti chybných kódech příkaz odmítneme nebo na čtvrt hodiny pozastavíme schvalování plateb.",
    fault_code_undelivered: "Kód se nepodařilo poslat. Nechte si poslat nový.",
    fault_codes_used_up: "Další kód pro tento příkaz poslat nemůžeme. Zadejte nejnovější.",
    fault_codes_of_hour_used_up:
      "Další kód vám teď poslat nemůžeme. Zadejte poslední, který k\u00a0tomuto příkazu přišel.",
    fault_code_none:
      "Kód k\u00a0tomuto příkazu vám teď poslat nemůžeme. Zkuste ho schválit přístupovým klíčem.",
  },
  messages: {
    signing_approved: {
      title: "Platbu jste schválili",
      lead: "Příkaz jsme přijali. Zda je zaplaceno, uvidíte na svém účtu.",
      advice: ["Vraťte se do aplikace."],
    },
    signing_declined: {
      title: "Platbu jste odmítli",
      lead: "Z\u00a0účtu nic neodejde.",
      advice: ["Vraťte se do aplikace."],
    },
    signing_tries_exhausted: {
      title: "Platba byla odmítnuta",
      lead: "Pětkrát byl kód nebo přístupový klíč nesprávný. Z\u00a0účtu nic neodejde.",
      advice: [
        "Pokud chcete zaplatit, vraťte se do aplikace a\u00a0zadejte platbu znovu. Schválit ji může být možné až za čtvrt hodiny.",
        "Pokud jste to nebyli vy, ozvěte se nám.",
      ],
    },
    signing_cancelled: {
      title: "Příkaz byl zrušen",
      lead: "Příkaz byl zrušen dříve, než jste se rozhodli. Z\u00a0účtu nic neodejde.",
      advice: ["Vraťte se do aplikace."],
    },
    signing_consent_ended: {
      title: "Tento příkaz už nelze schválit",
      lead: "Přístup této aplikace k\u00a0platbám z\u00a0vašich účtů skončil dříve, než jste se rozhodli. Z\u00a0účtu nic neodejde.",
      advice: [
        "Pokud chcete zaplatit, vraťte se do aplikace, dejte jí nový souhlas a\u00a0zadejte platbu znovu.",
      ],
    },
    signing_expired: {
      title: "Čas na schválení příkazu vypršel",
      lead: "O\u00a0příkazu nebylo včas rozhodnuto. Z\u00a0účtu nic neodejde.",
      advice: ["Pokud chcete zaplatit, vraťte se do aplikace a\u00a0zadejte platbu znovu."],
    },
    signing_unknown: {
      title: "Takový příkaz neexistuje",
      lead: "Adresa může být neúplná nebo chybně opsaná. Otevřením této stránky se nic nezaplatilo.",
      advice: ["Vraťte se do aplikace, která vás sem poslala, a\u00a0začněte znovu."],
    },
    signing_withdrawn: {
      title: "Tento příkaz už nelze schválit",
      lead: "Aplikace, která ho poslala, už k\u00a0tomu u\u00a0nás není registrovaná. Z\u00a0účtu nic neodejde.",
      advice: ["Zavřete tuto stránku.", "Chcete-li vědět více, ozvěte se nám a\u00a0uveďte označení níže."],
    },
    signing_tpp_blocked: {
      title: "Společnost, která aplikaci provozuje, jsme zablokovali",
      lead: "K\u00a0vašim účtům u\u00a0nás teď nemá přístup. Zpět do aplikace vás neposíláme. Příkaz už nelze schválit a\u00a0z\u00a0účtu nic neodejde.",
      advice: [
        "Zavřete tuto stránku. Nezadávejte v\u00a0aplikaci své přihlašovací údaje.",
        "Pokud chcete vědět více, obraťte se na nás a\u00a0uveďte označení níže.",
      ],
    },
    signing_other_psu: {
      title: "Tento příkaz nemůžete schválit vy",
      lead: "Jste přihlášeni jako {name}. Tento příkaz patří někomu jinému, proto ho neukážeme. Nic jsme nezaplatili.",
      advice: [
        "Pokud je příkaz váš, přihlaste se pod svým jménem.",
        "Jinak se vraťte do aplikace a\u00a0vyberte v\u00a0ní svůj účet.",
      ],
    },
    signing_codes_used_up: {
      title: "Další kód pro tento příkaz poslat nemůžeme",
      lead: "Poslali jsme tolik kódů, kolik jich pro jeden příkaz posíláme, a\u00a0žádný z\u00a0nich v\u00a0tomto prohlížeči neplatí. Nic jsme nezaplatili.",
      advice: ["Pokud chcete zaplatit, vraťte se do aplikace a\u00a0zadejte platbu znovu."],
    },
    signing_code_undelivered: {
      title: "Kód se nepodařilo poslat",
      lead: "Kód, který by ještě dorazil, už nic neschválí. Nic jsme nezaplatili.",
      advice: ["Zkuste to za chvíli znovu: pošleme vám nový kód."],
    },
    signing_held_off: {
      title: "Platby teď nějakou dobu nelze schvalovat",
      lead: "Bylo příliš mnoho chybných kódů či přístupových klíčů nebo příliš mnoho zpráv. Omezení potrvá do {time} pražského času a\u00a0skončí samo. Nic jsme nezaplatili.",
      advice: ["Zkuste to znovu po {time}.", "Pokud jste to nebyli vy, obraťte se na nás."],
    },
  },
};
