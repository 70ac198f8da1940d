import { czech, type DemoParty, european, overseas, places } from "./demo-party.ts";

/** Table: parties that pay the demo bank's PSUs or are paid by them; every name and number is invented. */
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
  germanPeople: [
    european("Katharina Vogel", "DE", ["Lindenstrasse 4", "10969 Berlin"]),
    european("Ferienwohnung Nordwind", "DE", ["Hafenweg 12", "18546 Sassnitz"]),
  ],
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
    european("Möbelhaus Linde GmbH", "DE", ["Werkstrasse 8", "01069 Dresden"]),
    european("Tischlerei Berger GmbH", "AT", ["Feldgasse 21", "4020 Linz"]),
    european("Holz und Form KG", "DE", ["Am Anger 3", "99084 Erfurt"]),
  ],
  euroSuppliers: [
    european("Werkzeughandel Enns GmbH", "AT", ["Industriezeile 40", "4470 Enns"]),
    european("Maschinenbau Elbtal AG", "DE", ["Uferstrasse 77", "01612 Nünchritz"]),
  ],
  dollarCustomers: [
    overseas(
      "Maple Street Interiors LLC",
      { bic: "TESTUS33" },
      { country: "US", addressLine: ["118 Maple Street", "Burlington VT 05401"] },
    ),
  ],
  dollarSuppliers: [
    overseas(
      "Pacific Hardwood Inc.",
      {
        clearingSystemMemberIdentification: {
          clearingSystemIdentification: { code: "USABA" },
          memberIdentification: "123456789",
        },
      },
      { country: "US", addressLine: ["2200 Harbor Avenue", "Seattle WA 98126"] },
    ),
    overseas(
      "Levant Textiles Trading",
      {
        name: "Test Bank of the Levant",
        postalAddress: { country: "JO", addressLine: ["5 King Street", "Amman"] },
      },
      { country: "JO", addressLine: ["17 Market Road", "Amman"] },
    ),
  ],
  polishSuppliers: [
    european("Drewno Beskidy Sp. z o.o.", "PL", ["ul. Lesna 5", "43-300 Bielsko-Biala"]),
    european("Okucia Slask S.A.", "PL", ["ul. Hutnicza 14", "40-241 Katowice"]),
  ],
  britishSuppliers: [european("Oak and Anvil Ltd", "GB", ["9 Foundry Lane", "Sheffield S3 8PD"])],
  britishFriends: [european("Emily Carter", "GB", ["31 Station Road", "York YO24 1AB"])],
  euroSubscriptions: [european("Hudobná škatuľa s.r.o.", "SK", ["Dunajská 15", "811 08 Bratislava"])],
  euroUtilities: [european("Lager Donau GmbH", "AT", ["Kaiweg 2", "1020 Wien"])],
  euroSubscribers: [
    european("Ferienhof Sonnblick", "AT", ["Bergweg 6", "5661 Rauris"]),
    european("Café Morgenrot", "DE", ["Marktplatz 1", "04109 Leipzig"]),
  ],
  collectors: [czech("Nájemce skladu Horka s.r.o.", "0300")],
  online: places("HRY A KNIHY ONLINE", "JIZDENKY CZ", "CLOUD STORAGE PLUS"),
  inPounds: places("MUSEUM CAFE LONDON", "BOOKSHOP YORK"),
  inEuros: places("HOTEL SEEBLICK WIEN", "TRATTORIA DEL PORTO TRIESTE", "MUSEUM SHOP BERLIN"),
  inZlotys: places("SKLEP GORSKI ZAKOPANE", "RESTAURACJA POD DEBEM KRAKOW"),
  inDollars: places("SOFTWARE STORE SAN JOSE US"),
  atmsAbroad: places("BANKOMAT GRAZ HBF", "BANKOMAT BRATISLAVA STANICA"),
  branches: places("POBOCKA PRAHA NAROZNI", "POBOCKA JAVOROV"),
} satisfies Record<string, readonly DemoParty[]>;
