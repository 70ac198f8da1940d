import { type Localized, parseTransactionCode, type TransactionCode } from "@cobs/cobs-model";

/** The bank's own accounts that take the other side of a booking; each exists once per currency. */
export const BANK_ACCOUNTS = ["clearing", "cards", "cash", "exchange", "fees", "interest", "loans"] as const;

/** One of the bank's own accounts. */
export type BankAccount = (typeof BANK_ACCOUNTS)[number];

/** How one kind of booking looks to the PSU: the code of the Czech Banking Association (COBS PDF 4.3), and a text. */
export type BookingKind = {
  readonly code: TransactionCode;
  readonly direction: "in" | "out";
  readonly against: BankAccount;
  /** Happens at weekends too; what banks settle among themselves otherwise rests. */
  readonly everyDay: boolean;
  readonly isInstant: boolean;
  readonly text: Localized;
};

/** Code, direction, other side, text in Czech and in English. */
type KindRow = readonly [string, "in" | "out", BankAccount, string, string];

function kind([code, direction, against, cs, en]: KindRow): BookingKind {
  const text = { cs, en };
  return { code: parseTransactionCode(code), direction, against, everyDay: false, isInstant: false, text };
}

function everyDay(row: KindRow): BookingKind {
  return { ...kind(row), everyDay: true };
}

function instant(row: KindRow): BookingKind {
  return { ...everyDay(row), isInstant: true };
}

/**
 * Table of the kinds of bookings that occur in the demo bank: every code of the list, some of them more than once. A direct
 * debit comes in to the bank of the payer, and goes out from the bank of the payee.
 */
export const BOOKING_KINDS = {
  // Payments.
  outgoing: kind(["10000101000", "out", "clearing", "Odchozí platba", "Outgoing payment"]),
  express: kind(["10000102000", "out", "clearing", "Odchozí expresní platba", "Outgoing express payment"]),
  collected: kind(["10000103000", "in", "clearing", "Inkaso ve prospěch", "Collection, credit"]),
  collection: kind(["10000104000", "out", "clearing", "Inkaso", "Collection, debit"]),
  standingOrder: kind(["10000105000", "out", "clearing", "Trvalý příkaz", "Standing order"]),
  sipo: kind(["10000106000", "out", "clearing", "Platba SIPO", "SIPO payment"]),
  incoming: kind(["10000107000", "in", "clearing", "Příchozí platba", "Incoming payment"]),
  instantOutgoing: instant([
    "10000101000",
    "out",
    "clearing",
    "Odchozí okamžitá platba",
    "Outgoing instant payment",
  ]),
  instantIncoming: instant([
    "10000107000",
    "in",
    "clearing",
    "Příchozí okamžitá platba",
    "Incoming instant payment",
  ]),
  foreignOutgoing: kind([
    "10000201000",
    "out",
    "clearing",
    "Odchozí zahraniční platba",
    "Outgoing foreign payment",
  ]),
  foreignIncoming: kind([
    "10000202000",
    "in",
    "clearing",
    "Příchozí zahraniční platba",
    "Incoming foreign payment",
  ]),
  otherPayment: kind(["10000301000", "out", "clearing", "Ostatní platba", "Other payment"]),
  sepaOutgoing: kind([
    "10000401000",
    "out",
    "clearing",
    "Odchozí SEPA úhrada",
    "Outgoing SEPA credit transfer",
  ]),
  sepaExpress: kind([
    "10000402000",
    "out",
    "clearing",
    "Odchozí expresní SEPA úhrada",
    "Outgoing express SEPA credit transfer",
  ]),
  sepaIncoming: kind([
    "10000403000",
    "in",
    "clearing",
    "Příchozí SEPA úhrada",
    "Incoming SEPA credit transfer",
  ]),
  sepaInstantOutgoing: instant([
    "10000401000",
    "out",
    "clearing",
    "Odchozí okamžitá SEPA úhrada",
    "Outgoing SEPA instant credit transfer",
  ]),
  sepaInstantIncoming: instant([
    "10000403000",
    "in",
    "clearing",
    "Příchozí okamžitá SEPA úhrada",
    "Incoming SEPA instant credit transfer",
  ]),
  sepaDebited: kind(["10000501000", "out", "clearing", "SEPA inkaso", "SEPA direct debit"]),
  sepaCollected: kind([
    "10000502000",
    "in",
    "clearing",
    "SEPA inkaso ve prospěch",
    "SEPA direct debit, collected",
  ]),
  sepaBusinessDebited: kind(["10000503000", "out", "clearing", "SEPA inkaso B2B", "SEPA B2B direct debit"]),
  sepaBusinessCollected: kind([
    "10000504000",
    "in",
    "clearing",
    "SEPA inkaso B2B ve prospěch",
    "SEPA B2B direct debit, collected",
  ]),
  // Cash.
  cashDeposit: kind(["20000101000", "in", "cash", "Vklad hotovosti", "Cash deposit"]),
  cashDepositForeign: kind([
    "20000102000",
    "in",
    "cash",
    "Vklad hotovosti v cizí měně",
    "Cash deposit in a foreign currency",
  ]),
  cashDepositExchanged: kind([
    "20000103000",
    "in",
    "cash",
    "Vklad hotovosti s převodem měny",
    "Cash deposit with conversion",
  ]),
  cashElsewhere: kind([
    "20000104000",
    "out",
    "cash",
    "Vklad na účet v jiné bance",
    "Cash deposit to an account with another bank",
  ]),
  cashWithdrawal: kind(["20000201000", "out", "cash", "Výběr hotovosti", "Cash withdrawal"]),
  cashWithdrawalForeign: kind([
    "20000202000",
    "out",
    "cash",
    "Výběr hotovosti v cizí měně",
    "Cash withdrawal in a foreign currency",
  ]),
  cashWithdrawalExchanged: kind([
    "20000203000",
    "out",
    "cash",
    "Výběr hotovosti s převodem měny",
    "Cash withdrawal with conversion",
  ]),
  cashProcessing: kind(["20000301000", "out", "cash", "Zpracování hotovosti", "Cash processing"]),
  cashOther: kind(["20000302000", "out", "cash", "Ostatní hotovostní služba", "Other cash service"]),
  // Cards.
  atm: everyDay(["30000101000", "out", "cash", "Výběr z bankomatu", "Cash machine withdrawal"]),
  atmAbroad: everyDay([
    "30000102000",
    "out",
    "cash",
    "Výběr z bankomatu v zahraničí",
    "Cash machine withdrawal abroad",
  ]),
  atmDeposit: everyDay(["30000103000", "in", "cash", "Vklad v bankomatu", "Cash machine deposit"]),
  card: everyDay(["30000201000", "out", "cards", "Platba kartou", "Card payment"]),
  cashback: everyDay([
    "30000202000",
    "out",
    "cards",
    "Platba kartou s cashback",
    "Card payment with cashback",
  ]),
  cashAdvance: everyDay([
    "30000203000",
    "out",
    "cards",
    "Hotovost na kartu u přepážky",
    "Cash advance by card",
  ]),
  cardOther: everyDay(["30000301000", "in", "cards", "Vrácení platby kartou", "Card payment refunded"]),
  // Fees.
  feeOutgoing: kind(["40000101000", "out", "fees", "Cena za odchozí platby", "Fee for outgoing payments"]),
  feeIncoming: kind(["40000102000", "out", "fees", "Cena za příchozí platby", "Fee for incoming payments"]),
  feeStandingOrder: kind(["40000103000", "out", "fees", "Cena za trvalé příkazy", "Fee for standing orders"]),
  feeDomestic: kind([
    "40000104000",
    "out",
    "fees",
    "Cena za ostatní platební služby",
    "Fee for other domestic services",
  ]),
  feeForeignOutgoing: kind([
    "40000201000",
    "out",
    "fees",
    "Cena za zahraniční platbu",
    "Fee for an outgoing foreign payment",
  ]),
  feeForeignIncoming: kind([
    "40000202000",
    "out",
    "fees",
    "Cena za příchozí zahraniční platbu",
    "Fee for an incoming foreign payment",
  ]),
  foreignFee: kind(["40000203000", "out", "fees", "Cena za vedení účtu", "Account fee"]),
  feeSepaOutgoing: kind(["40000301000", "out", "fees", "Cena za SEPA úhrady", "Fee for SEPA transfers"]),
  feeSepaIncoming: kind([
    "40000302000",
    "out",
    "fees",
    "Cena za příchozí SEPA úhrady",
    "Fee for incoming SEPA transfers",
  ]),
  feeSepaDebit: kind(["40000303000", "out", "fees", "Cena za SEPA inkaso", "Fee for SEPA direct debits"]),
  feeSepaBusiness: kind([
    "40000304000",
    "out",
    "fees",
    "Cena za SEPA inkaso B2B",
    "Fee for SEPA B2B direct debits",
  ]),
  feeCashDeposit: kind(["40000401000", "out", "fees", "Cena za vklad hotovosti", "Fee for cash deposits"]),
  feeCashWithdrawal: kind([
    "40000402000",
    "out",
    "fees",
    "Cena za výběr hotovosti",
    "Fee for cash withdrawals",
  ]),
  feeCashOther: kind([
    "40000403000",
    "out",
    "fees",
    "Cena za hotovostní služby",
    "Fee for other cash services",
  ]),
  feeAtm: kind(["40000501000", "out", "fees", "Cena za výběr z bankomatu", "Fee for cash machines"]),
  feePos: kind(["40000502000", "out", "fees", "Cena za platby kartou", "Fee for card payments"]),
  feeCard: kind(["40000503000", "out", "fees", "Cena za vedení karty", "Card fee"]),
  feeLoan: kind(["40000601000", "out", "fees", "Cena za správu úvěru", "Loan fee"]),
  feeCheque: kind(["40000602000", "out", "fees", "Cena za proplacení šeku", "Cheque fee"]),
  feeTrade: kind(["40000603000", "out", "fees", "Cena za akreditiv", "Trade finance fee"]),
  feeTreasury: kind(["40000604000", "out", "fees", "Cena za treasury služby", "Treasury fee"]),
  fee: kind(["40000605000", "out", "fees", "Cena za vedení účtu", "Account fee"]),
  // R-transactions; each takes a direct debit of the PSU back, as payer or as payee.
  sepaReturn: kind(["50000201001", "out", "clearing", "SEPA inkaso - return", "SEPA direct debit return"]),
  sepaRefund: kind(["50000201002", "in", "clearing", "SEPA inkaso - refund", "SEPA direct debit refund"]),
  sepaReversal: kind([
    "50000201003",
    "in",
    "clearing",
    "SEPA inkaso - reversal",
    "SEPA direct debit reversal",
  ]),
  sepaReject: kind(["50000201004", "out", "clearing", "SEPA inkaso - reject", "SEPA direct debit reject"]),
  sepaRefusal: kind(["50000201005", "in", "clearing", "SEPA inkaso - refusal", "SEPA direct debit refusal"]),
  sepaRevocation: kind([
    "50000201006",
    "out",
    "clearing",
    "SEPA inkaso - revocation",
    "SEPA direct debit revocation",
  ]),
  sepaCancellation: kind([
    "50000201007",
    "out",
    "clearing",
    "SEPA inkaso - request for cancellation",
    "SEPA direct debit, request for cancellation",
  ]),
  businessReturn: kind([
    "50000202001",
    "out",
    "clearing",
    "SEPA inkaso B2B - return",
    "SEPA B2B direct debit return",
  ]),
  businessRefund: kind([
    "50000202002",
    "in",
    "clearing",
    "SEPA inkaso B2B - refund",
    "SEPA B2B direct debit refund",
  ]),
  businessReversal: kind([
    "50000202003",
    "in",
    "clearing",
    "SEPA inkaso B2B - reversal",
    "SEPA B2B direct debit reversal",
  ]),
  businessReject: kind([
    "50000202004",
    "out",
    "clearing",
    "SEPA inkaso B2B - reject",
    "SEPA B2B direct debit reject",
  ]),
  businessRefusal: kind([
    "50000202005",
    "in",
    "clearing",
    "SEPA inkaso B2B - refusal",
    "SEPA B2B direct debit refusal",
  ]),
  businessRevocation: kind([
    "50000202006",
    "out",
    "clearing",
    "SEPA inkaso B2B - revocation",
    "SEPA B2B direct debit revocation",
  ]),
  businessCancellation: kind([
    "50000202007",
    "out",
    "clearing",
    "SEPA inkaso B2B - request for cancellation",
    "SEPA B2B direct debit, request for cancellation",
  ]),
  // Others.
  loanDrawn: kind(["90000101000", "in", "loans", "Čerpání úvěru", "Loan drawn"]),
  loanRepaid: kind(["90000101000", "out", "loans", "Splátka úvěru", "Loan repayment"]),
  interest: kind(["90000201000", "in", "interest", "Připsaný úrok", "Interest paid"]),
  interestOwed: kind(["90000201000", "out", "interest", "Úrok z kontokorentu", "Interest on the overdraft"]),
  cheque: kind(["90000301000", "in", "clearing", "Proplacení šeku", "Cheque cashed"]),
  tradeFinance: kind(["90000401000", "out", "clearing", "Úhrada akreditivu", "Letter of credit paid"]),
  exchangeOut: kind(["90000501000", "out", "exchange", "Převod mezi měnami účtu", "Currency exchange"]),
  exchangeIn: kind(["90000501000", "in", "exchange", "Převod mezi měnami účtu", "Currency exchange"]),
  bonus: kind(["90000601000", "in", "fees", "Odměna za placení kartou", "Card reward"]),
  otherService: kind(["90000701000", "out", "fees", "Ostatní služby", "Other services"]),
} as const satisfies Record<string, BookingKind>;

/** Name of a kind of booking. */
export type BookingKindName = keyof typeof BOOKING_KINDS;
