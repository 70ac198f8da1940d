import type { Brand } from "./brand.ts";

/** A country code of two letters: of ISO 3166-1, or Kosovo. */
export type CountryCode = Brand<"CountryCode">;

/**
 * Table: the officially assigned alpha-2 codes of ISO 3166-1, and the user-assigned XK, because Kosovo has no other and its
 * banks and accounts use it (ISO 9362, ISO 13616).
 */
const KNOWN = new Set(
  `AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ CA CC CD
  CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR GA GB GD GE GF
  GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN
  KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA
  NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI
  SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI
  VN VU WF WS XK YE YT ZA ZM ZW`.split(/\s+/),
);

/** Reads a country code in the table (COBS CountryCode); undefined for any other value. */
export function findCountryCode(value: unknown): CountryCode | undefined {
  return typeof value === "string" && KNOWN.has(value) ? (value as CountryCode) : undefined;
}
