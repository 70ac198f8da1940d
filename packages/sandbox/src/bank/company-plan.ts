import type { AccountPlan, CurrencyPlan, DemoCurrency, Habit, PsuPlan } from "./account-plan.ts";
import { COMPANY_FEES, DIRECT_DEBITS, FOREIGN_TRADE } from "./company-habits.ts";
import { monthly, often, rarely } from "./habit-beginnings.ts";
import { PARTIES } from "./parties.ts";

const PRODUCTS = {
  CZK: { cs: "Firemní konto", en: "Business account" },
  EUR: { cs: "Firemní konto EUR", en: "Business account EUR" },
  USD: { cs: "Firemní konto USD", en: "Business account USD" },
};

const SHOPS = [
  ["Praha", "Prague"],
  ["Brno", "Brno"],
  ["Ostrava", "Ostrava"],
  ["Plzeň", "Pilsen"],
  ["Liberec", "Liberec"],
  ["Olomouc", "Olomouc"],
] as const;

const CARD_ACCOUNTS = [
  ["sklad", "warehouse"],
  ["montáž", "assembly"],
  ["doprava", "transport"],
  ["vedení", "management"],
] as const;

const EURO_SHOPS = [
  ["Německo", "Germany"],
  ["Rakousko", "Austria"],
  ["Slovensko", "Slovakia"],
] as const;

const FEE: Habit = { ...monthly("fee", 28), amount: [99, 99] };
const FOREIGN_FEE: Habit = { ...monthly("foreignFee", 28), amount: [5, 5] };

interface Opened {
  readonly key: string;
  /** Czech, then English. */
  readonly name: readonly [string, string];
  /** First deposit, in whole units of the currency. */
  readonly opening: number;
}

function plan(currency: DemoCurrency, opened: Opened, habits: readonly Habit[]): AccountPlan {
  const { key, opening, name } = opened;
  const [cs, en] = name;
  return { key, currency, names: { cs, en }, products: PRODUCTS[currency], opening, habits };
}

function planInCrowns(opened: Opened, habits: readonly Habit[]): AccountPlan {
  return plan("CZK", opened, [...habits, FEE]);
}

/** The further currencies of the operating account, bought from its crowns. */
const OPERATING_FURTHER: readonly CurrencyPlan[] = [
  {
    currency: "EUR",
    opening: 9_000,
    habits: [
      { ...often("sepaOutgoing", 3), amount: [200, 1_100], parties: PARTIES.euroSuppliers, purpose: "SUPP" },
      { ...often("sepaIncoming", 3), amount: [150, 900], parties: PARTIES.euroCustomers },
      { ...rarely("sepaExpress", 2, 1), amount: [400, 900], parties: PARTIES.euroSuppliers },
    ],
    pending: [{ ...often("sepaOutgoing", 1), amount: [200, 600], parties: PARTIES.euroSuppliers }],
  },
  {
    currency: "USD",
    opening: 7_500,
    habits: [
      {
        ...monthly("foreignOutgoing", 13),
        amount: [200, 600],
        parties: PARTIES.dollarSuppliers,
        bearer: "SHA",
      },
      { ...monthly("foreignIncoming", 19), amount: [150, 700], parties: PARTIES.dollarCustomers },
    ],
  },
];

const OPERATING_IN_CROWNS = planInCrowns(
  { key: "operating", name: ["Provozní účet", "Operating account"], opening: 2_400_000 },
  [
    { ...monthly("exchangeOut", 4), amount: [20_000, 30_000], exchangedTo: "EUR" },
    { ...rarely("exchangeOut", 3, 1), amount: [8_000, 15_000], exchangedTo: "USD" },
    {
      ...often("express", 1),
      amount: [4_000, 30_000],
      parties: PARTIES.wholesalers,
      variableSymbol: "invoice",
    },
    {
      ...monthly("collected", 8),
      amount: [12_000, 12_000],
      parties: PARTIES.collectors,
      variableSymbol: "contract",
    },
    { ...monthly("loanRepaid", 20), amount: [22_400, 22_400], message: "Splátka investičního úvěru" },
    { ...rarely("loanDrawn", 12, 3), amount: [250_000, 250_000], message: "Investiční úvěr" },
    ...COMPANY_FEES,
    ...FOREIGN_TRADE,
    {
      ...often("incoming", 40),
      amount: [9_000, 90_000],
      parties: PARTIES.companyCustomers,
      message: "Úhrada faktury",
      constantSymbol: "0308",
      variableSymbol: "invoice",
    },
    {
      ...often("outgoing", 45),
      amount: [1_500, 80_000],
      parties: PARTIES.wholesalers,
      constantSymbol: "0008",
      variableSymbol: "invoice",
    },
    { ...monthly("outgoing", 7), amount: [320_000, 345_000], ownAccount: "payroll" },
    { ...monthly("outgoing", 22), amount: [180_000, 260_000], ownAccount: "tax" },
    { ...monthly("standingOrder", 1), amount: [64_000, 64_000], parties: PARTIES.landlord },
    { ...monthly("standingOrder", 5), amount: [7_350, 7_350], parties: PARTIES.insurance },
    ...CARD_ACCOUNTS.map(
      ([cs]): Habit => ({ ...monthly("outgoing", 2), amount: [18_000, 22_000], ownAccount: `card ${cs}` }),
    ),
  ],
);

const OPERATING: AccountPlan = {
  ...OPERATING_IN_CROWNS,
  further: OPERATING_FURTHER,
  pending: [
    {
      ...often("outgoing", 1),
      amount: [4_000, 19_000],
      parties: PARTIES.wholesalers,
      variableSymbol: "invoice",
    },
    {
      ...often("outgoing", 1),
      amount: [2_000, 9_000],
      parties: PARTIES.wholesalers,
      variableSymbol: "invoice",
    },
  ],
};

const PAYROLL = planInCrowns({ key: "payroll", name: ["Mzdový účet", "Payroll account"], opening: 60_000 }, [
  ...PARTIES.staff.map(
    (person): Habit => ({
      ...monthly("outgoing", 10),
      amount: [38_000, 54_000],
      step: 100,
      parties: [person],
      message: "Mzda",
      constantSymbol: "0138",
    }),
  ),
  { ...monthly("outgoing", 15), amount: [58_000, 66_000], parties: PARTIES.socialSecurity },
  { ...monthly("outgoing", 15), amount: [26_000, 30_000], parties: PARTIES.healthInsurance },
]);

const TAX = planInCrowns({ key: "tax", name: ["Daňová rezerva", "Tax reserve"], opening: 150_000 }, [
  {
    ...monthly("outgoing", 25),
    amount: [160_000, 240_000],
    parties: PARTIES.taxOffice,
    message: "DPH",
    constantSymbol: "1148",
    variableSymbol: "contract",
  },
]);

const DEPOSITS = planInCrowns({ key: "deposits", name: ["Kauce a zálohy", "Deposits"], opening: 400_000 }, [
  { ...monthly("interest", 28), amount: [300, 900], step: 1 },
]);

function cardAccount([cs, en]: readonly [string, string]): AccountPlan {
  const shopping: Habit = { ...often("card", 14), amount: [200, 2_200], step: 10 };
  return planInCrowns({ key: `card ${cs}`, name: [`Karty - ${cs}`, `Cards - ${en}`], opening: 15_000 }, [
    { ...shopping, parties: PARTIES.travel },
    { ...shopping, when: { timesPerMonth: 4 }, parties: PARTIES.shopping },
  ]);
}

function shop([cs, en]: readonly [string, string]): AccountPlan {
  return planInCrowns({ key: `shop ${en}`, name: [`Prodejna ${cs}`, `Shop ${en}`], opening: 40_000 }, [
    { ...often("cashDeposit", 8), amount: [4_000, 26_000], step: 10_000, parties: PARTIES.branches },
    { ...rarely("cashProcessing", 3, 1), amount: [150, 600] },
    { ...often("incoming", 8), amount: [900, 12_000], parties: PARTIES.smallCustomers },
    { ...monthly("outgoing", 6), amount: [110_000, 170_000], ownAccount: "operating" },
  ]);
}

function project(number: number): AccountPlan {
  const name = String(number).padStart(2, "0");
  const invoice = { constantSymbol: "0308", variableSymbol: "invoice" } as const;
  return planInCrowns(
    { key: `project ${name}`, name: [`Zakázka ${name}`, `Project ${name}`], opening: 90_000 },
    [
      { ...often("incoming", 3), amount: [9_000, 46_000], parties: PARTIES.companyCustomers, ...invoice },
      { ...often("outgoing", 6), amount: [1_200, 21_000], parties: PARTIES.wholesalers, ...invoice },
    ],
  );
}

function euroShop([cs, en]: readonly [string, string]): AccountPlan {
  const habits: readonly Habit[] = [
    { ...often("sepaIncoming", 14), amount: [35, 900], step: 10, parties: PARTIES.euroCustomers },
    { ...often("sepaOutgoing", 2), amount: [300, 4_800], parties: PARTIES.euroSuppliers },
    FOREIGN_FEE,
  ];
  return plan(
    "EUR",
    { key: `shop ${en}`, name: [`E-shop ${cs}`, `Online shop ${en}`], opening: 2_500 },
    habits,
  );
}

const EURO: readonly AccountPlan[] = [
  plan("EUR", { key: "euro", name: ["Eurový účet", "Euro account"], opening: 48_000 }, [
    { ...often("sepaIncoming", 5), amount: [900, 7_500], parties: PARTIES.euroCustomers },
    { ...monthly("outgoing", 11), amount: [14_000, 19_000], ownAccount: "euro suppliers" },
    ...DIRECT_DEBITS,
    { ...rarely("cashDepositForeign", 4, 1), amount: [200, 900], step: 1_000, parties: PARTIES.branches },
    FOREIGN_FEE,
  ]),
  plan("EUR", { key: "euro suppliers", name: ["Dodavatelé EUR", "Suppliers EUR"], opening: 6_000 }, [
    { ...often("sepaOutgoing", 7), amount: [800, 3_600], parties: PARTIES.euroSuppliers },
    FOREIGN_FEE,
  ]),
];

const DOLLAR: readonly AccountPlan[] = [
  plan("USD", { key: "dollar", name: ["Dolarový účet", "Dollar account"], opening: 22_000 }, [
    { ...often("foreignIncoming", 3), amount: [2_000, 9_000], parties: PARTIES.dollarCustomers },
    { ...often("foreignOutgoing", 2), amount: [1_500, 7_000], parties: PARTIES.dollarSuppliers },
    FOREIGN_FEE,
  ]),
  plan("USD", { key: "dollar reserve", name: ["Rezerva USD", "Reserve USD"], opening: 65_000 }, [
    { ...monthly("interest", 28), amount: [12, 60], step: 1 },
  ]),
  plan("USD", { key: "shop USA", name: ["E-shop USA", "Online shop USA"], opening: 1_200 }, [
    { ...often("foreignIncoming", 6), amount: [40, 800], parties: PARTIES.dollarCustomers },
    FOREIGN_FEE,
  ]),
];

/** The demo bank's company, whose accounts need more than one page of thirty. */
export const COMPANY_PLAN: PsuPlan = {
  username: "firma",
  displayName: "Tomáš Kolář (Severní dílna s.r.o.)",
  segment: "business",
  holder: "Severní dílna s.r.o.",
  accounts: [
    OPERATING,
    PAYROLL,
    TAX,
    DEPOSITS,
    ...CARD_ACCOUNTS.map(cardAccount),
    ...SHOPS.map(shop),
    ...Array.from({ length: 12 }, (_, index) => project(index + 1)),
    ...EURO,
    ...EURO_SHOPS.map(euroShop),
    ...DOLLAR,
  ],
};
