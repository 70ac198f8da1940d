import type { Habit } from "./account-plan.ts";
import { monthly, often, rarely } from "./habit-beginnings.ts";
import { PARTIES } from "./parties.ts";

/** Table: what the bank charges the company, apart from account fees. */
export const COMPANY_FEES: readonly Habit[] = [
  { ...monthly("feeOutgoing", 28), amount: [120, 280], step: 200, undone: { everyMonths: 7, by: [] } },
  { ...monthly("feeIncoming", 28), amount: [90, 210], step: 200 },
  { ...monthly("feeStandingOrder", 28), amount: [10, 10] },
  {
    ...rarely("feeDomestic", 3, 1),
    amount: [50, 50],
    text: text("Cena za expresní platbu", "Fee for an express payment"),
  },
  { ...monthly("feeForeignOutgoing", 24), amount: [220, 480] },
  { ...monthly("feeForeignIncoming", 25), amount: [100, 300] },
  { ...monthly("feeSepaOutgoing", 24), amount: [30, 90] },
  { ...monthly("feeSepaIncoming", 24), amount: [20, 80] },
  { ...monthly("feeSepaDebit", 24), amount: [40, 40] },
  { ...monthly("feeSepaBusiness", 24), amount: [60, 60] },
  { ...monthly("feeCashDeposit", 26), amount: [80, 240], step: 1_000 },
  { ...rarely("feeCashOther", 3, 2), amount: [100, 100], text: text("Cena za mince", "Fee for coins") },
  { ...monthly("feePos", 26), amount: [190, 420] },
  { ...rarely("feeTrade", 6, 2), amount: [2_500, 4_000] },
  { ...rarely("feeTreasury", 6, 4), amount: [500, 500] },
  {
    ...rarely("otherService", 6, 5),
    amount: [300, 300],
    text: text("Potvrzení pro audit", "Confirmation for an audit"),
  },
  {
    ...rarely("cashOther", 6, 3),
    amount: [150, 150],
    text: text("Výměna bankovek", "Exchange of banknotes"),
  },
];

/** Table: the company's foreign payments, out and in, on its account in crowns. */
export const FOREIGN_TRADE: readonly Habit[] = [
  {
    ...often("foreignOutgoing", 2),
    amount: [8_000, 45_000],
    parties: PARTIES.polishSuppliers,
    ordered: "PLN",
  },
  {
    ...monthly("foreignOutgoing", 17),
    amount: [9_000, 38_000],
    parties: PARTIES.britishSuppliers,
    ordered: "GBP",
    bearer: "OUR",
    message: "Faktura za kování",
  },
  {
    ...rarely("foreignOutgoing", 2),
    amount: [12_000, 60_000],
    parties: PARTIES.dollarSuppliers,
    ordered: "USD",
    bearer: "BEN",
  },
  {
    ...monthly("foreignIncoming", 21),
    amount: [15_000, 50_000],
    parties: PARTIES.dollarCustomers,
    ordered: "USD",
  },
  {
    ...rarely("tradeFinance", 6, 2),
    amount: [60_000, 120_000],
    ordered: "USD",
    message: "Akreditiv LC-2041",
  },
];

/** Table: SEPA direct debits that the company pays and collects, and how they are returned. */
export const DIRECT_DEBITS: readonly Habit[] = [
  {
    ...monthly("sepaDebited", 8),
    amount: [60, 110],
    parties: PARTIES.euroUtilities,
    purpose: "RENT",
    undone: { everyMonths: 5, by: ["sepaRefund", "sepaReversal", "sepaRefusal"] },
  },
  {
    ...monthly("sepaBusinessDebited", 8),
    amount: [140, 260],
    parties: PARTIES.euroUtilities,
    undone: { everyMonths: 4, by: ["businessRefund", "businessReversal", "businessRefusal"] },
  },
  {
    ...monthly("sepaCollected", 12),
    amount: [25, 80],
    parties: PARTIES.euroSubscribers,
    message: "Předplatné",
    undone: { everyMonths: 3, by: ["sepaReturn", "sepaReject", "sepaRevocation", "sepaCancellation"] },
  },
  {
    ...monthly("sepaBusinessCollected", 12),
    amount: [210, 480],
    parties: PARTIES.euroCustomers,
    undone: {
      everyMonths: 3,
      by: ["businessReturn", "businessReject", "businessRevocation", "businessCancellation"],
    },
  },
];

function text(cs: string, en: string) {
  return { cs, en };
}
