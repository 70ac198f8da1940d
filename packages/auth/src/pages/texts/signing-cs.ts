import type { SigningTexts } from "./signing-texts.ts";

/** What the pages of signing say, in Czech. */
export const signingCs: SigningTexts = {
  phrases: {
    order_title: "Schvalujete tuto platbu?",
    order_lead:
      "{tpp} nám vaším jménem poslala tento příkaz. Přečtěte si každý řádek: zaplatíme přesně to, co tu stojí, a\u00a0jen když to schválíte.",
    order_heading: "Platební příkaz",
    order_amount: "Částka",
    order_creditorName: "Příjemce",
    order_creditorAddress: "Adresa příjemce",
    order_creditorIban: "Na účet",
    order_creditorNumber: "Na účet",
    order_creditorBic: "Banka příjemce (BIC)",
    order_creditorBank: "Banka příjemce",
    order_ultimateCreditor: "Konečný příjemce",
    order_debtorIban: "Z\u00a0účtu",
    order_ultimateDebtor: "Původní plátce",
    order_executionDate: "Datum provedení",
    order_soon: "Ihned po schválení",
    order_priority: "Druh",
    order_priority_NORM: "Běžná platba",
    order_priority_HIGH: "Přednostní platba",
    order_priority_INST: "Okamžitá platba",
    order_message: "Zpráva pro příjemce",
    order_variableSymbol: "Variabilní symbol",
    order_constantSymbol: "Konstantní symbol",
    order_specificSymbol: "Specifický symbol",
    order_endToEndIdentification: "Reference plátce",
    order_purpose: "Účel",
    order_chargeBearer: "Poplatky bank",
    order_chargeBearer_DEBT: "Všechny platíte vy",
    order_chargeBearer_CRED: "Všechny platí příjemce",
    order_chargeBearer_SHAR: "Vy i\u00a0příjemce platíte každý své bance",
    order_chargeBearer_SLEV: "Vy i\u00a0příjemce platíte každý své bance",
    order_fee: "Náš poplatek",
    order_instructionIdentification: "Označení od aplikace",
    order_paymentId: "Označení platby",
    order_wait_until: "Příkaz na vás čeká do {time}. Když nerozhodnete, neprovedeme ho.",
    bound_code_heading: "Schválení kódem",
    bound_code: "Kód z\u00a0naší zprávy",
    bound_code_hint:
      "Poslali jsme vám zprávu s\u00a0osmi číslicemi. Platí jen pro tento příkaz a\u00a0jen pět minut. Schvalte, jen když je ve zprávě stejná částka a\u00a0stejný příjemce.",
    bound_code_text:
      "{bank}: kódem {code} schválíte platbu {amount} pro {payee}, účet {account}. Zadejte ho jen na naší stránce. Pokud neplatíte, nikomu ho neříkejte a\u00a0ozvěte se nám.",
    bound_code_text_account:
      "{bank}: kódem {code} schválíte platbu {amount} na účet {account}. Zadejte ho jen na naší stránce. Pokud neplatíte, nikomu ho neříkejte a\u00a0ozvěte se nám.",
    approve_payment: "Schválit platbu",
    refuse_payment: "Odmítnout platbu",
    new_code: "Poslat nový kód",
    sign_in_as_other: "Přihlásit se jako někdo jiný",
    decided_at: "Čas: {time}",
    inbox_link: "Sandbox: otevřít zprávy",
    inbox_title: "Zprávy sandboxu",
    inbox_lead: "Tato stránka nahrazuje telefon. Banka posílá zprávy jen klientovi.",
    inbox_empty: "Není tu žádná zpráva.",
    fault_bound_code_missing: "Zadejte kód z\u00a0naší zprávy",
    fault_bound_code_wrong:
      "Tento kód neschvaluje tento příkaz. Zadejte nejnovější; každý platí pět minut. Po pátém chybném kódu příkaz odmítneme.",
    fault_code_undelivered: "Kód se nepodařilo poslat. Nechte si poslat nový.",
    fault_codes_used_up: "Další kód pro tento příkaz poslat nemůžeme. Zadejte nejnovější.",
  },
  messages: {
    signing_approved: {
      title: "Platbu jste schválili",
      lead: "Příkaz jsme přijali. Zda je zaplaceno, uvidíte na svém účtu.",
      advice: ["Vraťte se do aplikace."],
    },
    signing_declined: {
      title: "Platbu jste odmítli",
      lead: "Nic se neplatí.",
      advice: ["Vraťte se do aplikace."],
    },
    signing_tries_exhausted: {
      title: "Platba je odmítnuta",
      lead: "Pětkrát byl zadán chybný kód. Nic se neplatí.",
      advice: [
        "Pokud chcete zaplatit, vraťte se do aplikace a\u00a0zadejte platbu znovu.",
        "Pokud jste kódy nezadávali vy, ozvěte se nám.",
      ],
    },
    signing_cancelled: {
      title: "Příkaz byl vzat zpět",
      lead: "Aplikace vzala příkaz zpět dříve, než jste rozhodli. Nic se neplatí.",
      advice: ["Vraťte se do aplikace."],
    },
    signing_expired: {
      title: "Čas pro tento příkaz vypršel",
      lead: "Nebylo o\u00a0něm včas rozhodnuto. Nic se neplatí.",
      advice: ["Pokud chcete zaplatit, vraťte se do aplikace a\u00a0zadejte platbu znovu."],
    },
    signing_unknown: {
      title: "Žádný příkaz tu není",
      lead: "Adresa může být neúplná nebo chybně opsaná. Nic se neplatí.",
      advice: ["Vraťte se do aplikace, která vás sem poslala, a\u00a0začněte znovu."],
    },
    signing_withdrawn: {
      title: "Aplikace, která příkaz poslala, už neexistuje",
      lead: "Není u\u00a0nás registrovaná, a\u00a0příkaz proto nelze schválit. Nic se neplatí.",
      advice: ["Zavřete tuto stránku.", "Chcete-li vědět více, ozvěte se nám a\u00a0uveďte označení níže."],
    },
    signing_other_psu: {
      title: "Tento příkaz nemůžete schválit vy",
      lead: "Je tu přihlášen někdo, čí jménem příkaz nepřišel. Neukážeme ho. Nic se neplatí.",
      advice: [
        "Pokud je příkaz váš, přihlaste se pod svým jménem.",
        "Jinak se vraťte do aplikace a\u00a0vyberte v\u00a0ní svůj účet.",
      ],
    },
    signing_codes_used_up: {
      title: "Další kód pro tento příkaz poslat nemůžeme",
      lead: "Poslali jsme tolik kódů, kolik jich pro jeden příkaz posíláme, a\u00a0poslední už neplatí. Nic se neplatí.",
      advice: ["Pokud chcete zaplatit, vraťte se do aplikace a\u00a0zadejte platbu znovu."],
    },
  },
};
