/**
 * The form of the IBANs of each country that has them. This file does not check their check digits, which is done in `iban.ts`.
 */

/**
 * Table: what follows the country and the two check digits in an IBAN, by country (IBAN Registry of SWIFT for ISO 13616, Release
 * 101): `n` is a digit, `a` a capital letter, `c` a letter or a digit, each after its number. Territories of a state, such as
 * Réunion or Jersey, have IBANs of the state.
 */
const FORMS: ReadonlyMap<string, readonly string[]> = new Map(
  `AD 8n12c, AE 19n, AL 8n16c, AT 16n, AZ 4a20c, BA 16n, BE 12n, BG 4a6n8c, BH 4a14c, BI 23n, BR 23n1a1c, BY 4c4n16c,
  CH 5n12c, CR 18n, CY 8n16c, CZ 20n, DE 18n, DJ 23n, DK 14n, DO 4c20n, EE 16n, EG 25n, ES 20n, FI 14n, FK 2a12n, FO 14n,
  FR 10n11c2n, GB 4a14n, GE 2a16n, GI 4a15c, GL 14n, GR 7n16c, GT 24c, HN 4a20n, HR 17n, HU 24n, IE 4a14n, IL 19n,
  IQ 4a15n, IS 22n, IT 1a10n12c, JO 4a4n18c, KW 4a22c, KZ 3n13c, LB 4n20c, LC 4a24c, LI 5n12c, LT 16n, LU 3n13c,
  LV 4a13c, LY 21n, MC 10n11c2n, MD 20c, ME 18n, MK 3n10c2n, MN 16n, MR 23n, MT 4a5n18c, MU 4a19n3a, NI 4a20n, NL 4a10n,
  NO 11n, OM 3n16c, PK 4a16c, PL 24n, PS 4a21c, PT 21n, QA 4a21c, RO 4a16c, RS 18n, RU 14n15c, SA 2n18c, SC 4a20n3a,
  SD 14n, SE 20n, SI 15n, SK 20n, SM 1a10n12c, SO 19n, ST 21n, SV 4a20n, TL 19n, TN 20n, TR 6n16c, UA 6n19c, VA 18n,
  VG 4a16n, XK 16n, YE 4a4n18c`
    .split(/,\s+/)
    .map((row) => [row.slice(0, 2), kindsOf(row.slice(3))]),
);

/** Table: the characters of each kind in the registry. */
const CHARACTERS: ReadonlyMap<string, RegExp> = new Map([
  ["n", /^[0-9]$/],
  ["a", /^[A-Z]$/],
  ["c", /^[A-Za-z0-9]$/],
]);

/**
 * Returns the kind of each character after the check digits of a country's IBANs: `n` for a digit, `a` for a capital letter, `c`
 * for a letter or a digit. Undefined for a country that has no IBANs, or none when the table was made.
 */
export function findNationalForm(country: string): readonly string[] | undefined {
  return FORMS.get(country);
}

/** Whether a text has the length of its country's IBANs, and letters and digits where they have them. */
export function hasNationalForm(iban: string): boolean {
  const kinds = findNationalForm(iban.slice(0, 2));
  const national = [...iban.slice(4)];
  return (
    kinds?.length === national.length &&
    national.every((each, at) => CHARACTERS.get(kinds[at] ?? "")?.test(each))
  );
}

/** Writes one letter for each character. */
function kindsOf(form: string): readonly string[] {
  return [...form.replace(/(\d+)([nac])/g, (_, count: string, kind: string) => kind.repeat(Number(count)))];
}
