import type { Party } from "@cobs/resource";
import { czechIbanOf, foreignIbanOf } from "./account-numbers.ts";

const BICS: Readonly<Record<string, string>> = {
  "0100": "KOMBCZPP",
  "0300": "CEKOCZPP",
  "0710": "CNBACZPP",
  "0800": "GIBACZPX",
  "2010": "FIOBCZPP",
  "5500": "RZBCCZPP",
};

function czech(name: string, bankCode: string): Party {
  const bic = BICS[bankCode];
  return { name, iban: czechIbanOf(name, bankCode), bankCode, ...(bic === undefined ? {} : { bic }) };
}

function german(name: string): Party {
  return { name, iban: foreignIbanOf(name, "DE"), bic: "TESTDEFF" };
}

function austrian(name: string): Party {
  return { name, iban: foreignIbanOf(name, "AT"), bic: "TESTATWW" };
}

function places(...names: readonly string[]): readonly Party[] {
  return names.map((name) => ({ name }));
}

/** Table of those whom the demo bank's PSUs pay and are paid by; every name and number is invented. */
export const PARTIES = {
  employer: [czech("Lípa software s.r.o.", "0300")],
  secondEmployer: [czech("Městská nemocnice Javorov", "0710")],
  landlord: [czech("Bytové družstvo Pod Kaštany", "0800")],
  sipo: [czech("SIPO - soustředěné inkaso plateb", "0300")],
  energy: [czech("Jasná energie a.s.", "0100")],
  phone: [czech("Volám mobil a.s.", "5500")],
  insurance: [czech("Kotva pojišťovna a.s.", "0300")],
  pension: [czech("Podzim penzijní společnost a.s.", "0800")],
  friends: [
    czech("Alena Říhová", "2010"),
    czech("Ondřej Kučera", "0800"),
    czech("Lucie Benešová", "0100"),
    czech("Martin Šimek", "5500"),
  ],
  groceries: places(
    "POTRAVINY U MOSTU PRAHA",
    "SAMOOBSLUHA ZDISLAVA PRAHA",
    "PEKARNA ZRNKO PRAHA",
    "FARMARSKY TRH JAVOROV",
  ),
  eatingOut: places("KAVARNA MODRA KONVICE", "BISTRO TRI JABLKA", "HOSPODA NA ROHU", "JIDELNA U PARKU"),
  shopping: places(
    "KNIHY ARCHA",
    "OBUV PODPATEK",
    "LEKARNA U ZLATEHO HADA",
    "SPORT VRCHOL",
    "ELEKTRO JISKRA",
  ),
  travel: places("DOPRAVNI PODNIK JAVOROV", "VLAKY JIZDENKY ONLINE", "CERPACI STANICE OREL"),
  abroad: places("HOTEL SEEBLICK WIEN", "MUSEUM SHOP BERLIN", "TRATTORIA DEL PORTO TRIESTE"),
  atms: places("BANKOMAT NAMESTI MIRU", "BANKOMAT NADRAZI", "BANKOMAT OBCHODNI DUM"),
  germanPeople: [german("Katharina Vogel"), german("Ferienwohnung Nordwind")],
  smallCustomers: [
    czech("Zahradnictví Pampeliška", "2010"),
    czech("Truhlářství Javor s.r.o.", "0100"),
    czech("Základní škola Lipová", "0710"),
    czech("Penzion U Studánky", "5500"),
  ],
  wholesalers: [
    czech("Papír a barvy s.r.o.", "0800"),
    czech("Železářství Kladivo a.s.", "0300"),
    czech("Dřevo Šumava s.r.o.", "0100"),
    czech("Obaly Vltava s.r.o.", "2010"),
  ],
  companyCustomers: [
    czech("Stavby Horizont a.s.", "0100"),
    czech("Interiéry Linka s.r.o.", "0300"),
    czech("Hotel Zlatý jelen s.r.o.", "0800"),
    czech("Obec Dolní Javorov", "0710"),
    czech("Kanceláře Atrium s.r.o.", "5500"),
  ],
  staff: [
    czech("Pavel Marek", "0800"),
    czech("Hana Jelínková", "0100"),
    czech("Josef Růžička", "0300"),
    czech("Veronika Malá", "2010"),
    czech("Roman Fiala", "5500"),
  ],
  taxOffice: [czech("Finanční úřad", "0710")],
  socialSecurity: [czech("Správa sociálního zabezpečení", "0710")],
  healthInsurance: [czech("Zdravotní pojišťovna Heřmánek", "0710")],
  euroCustomers: [
    german("Möbelhaus Linde GmbH"),
    austrian("Tischlerei Berger GmbH"),
    german("Holz und Form KG"),
  ],
  euroSuppliers: [austrian("Werkzeughandel Enns GmbH"), german("Maschinenbau Elbtal AG")],
  dollarCustomers: [{ name: "Maple Street Interiors LLC", bic: "TESTUS33" }],
  dollarSuppliers: [{ name: "Pacific Hardwood Inc.", bic: "TESTUS33" }],
} satisfies Record<string, readonly Party[]>;
