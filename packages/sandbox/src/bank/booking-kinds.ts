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
  /** Also happens at weekends and on holidays; settlement between banks does not. */
  readonly everyDay: boolean;
  readonly isInstant: boolean;
  readonly text: Localized;
};

type KindOf = (code: string, cs: string, en: string) => BookingKind;

/** Creates kinds of bookings that share the bank's side and some traits. */
function against(
  account: BankAccount,
  traits: Partial<BookingKind> = {},
): Readonly<Record<"in" | "out", KindOf>> {
  const always = { against: account, everyDay: false, isInstant: false, ...traits };
  const make =
    (direction: "in" | "out"): KindOf =>
    (code, cs, en) => ({ ...always, code: parseTransactionCode(code), direction, text: { cs, en } });
  return { in: make("in"), out: make("out") };
}

const payment = against("clearing");
const instant = against("clearing", { everyDay: true, isInstant: true });
const cash = against("cash");
const machine = against("cash", { everyDay: true });
const card = against("cards", { everyDay: true });
const charged = against("fees");
const loan = against("loans");
const interest = against("interest");
const exchange = against("exchange");

/**
 * Table of the kinds of bookings in the demo bank: every code of the list, some more than once. A direct debit is an incoming
 * one at the payer's bank and an outgoing one at the payee's.
 */
export const BOOKING_KINDS = {
  // Payments.
  outgoing: payment.out("10000101000", "Odchozí platba", "Outgoing payment"),
  express: payment.out("10000102000", "Odchozí expresní platba", "Outgoing express payment"),
  collected: payment.in("10000103000", "Inkaso ve prospěch", "Collection, credit"),
  collection: payment.out("10000104000", "Inkaso", "Collection, debit"),
  standingOrder: payment.out("10000105000", "Trvalý příkaz", "Standing order"),
  sipo: payment.out("10000106000", "Platba SIPO", "SIPO payment"),
  incoming: payment.in("10000107000", "Příchozí platba", "Incoming payment"),
  instantOutgoing: instant.out("10000101000", "Odchozí okamžitá platba", "Outgoing instant payment"),
  instantIncoming: instant.in("10000107000", "Příchozí okamžitá platba", "Incoming instant payment"),
  foreignOutgoing: payment.out("10000201000", "Odchozí zahraniční platba", "Outgoing foreign payment"),
  foreignIncoming: payment.in("10000202000", "Příchozí zahraniční platba", "Incoming foreign payment"),
  otherPayment: payment.out("10000301000", "Ostatní platba", "Other payment"),
  sepaOutgoing: payment.out("10000401000", "Odchozí SEPA úhrada", "Outgoing SEPA credit transfer"),
  sepaExpress: payment.out(
    "10000402000",
    "Odchozí expresní SEPA úhrada",
    "Outgoing express SEPA credit transfer",
  ),
  sepaIncoming: payment.in("10000403000", "Příchozí SEPA úhrada", "Incoming SEPA credit transfer"),
  sepaInstantOutgoing: instant.out(
    "10000401000",
    "Odchozí okamžitá SEPA úhrada",
    "Outgoing SEPA instant credit transfer",
  ),
  sepaInstantIncoming: instant.in(
    "10000403000",
    "Příchozí okamžitá SEPA úhrada",
    "Incoming SEPA instant credit transfer",
  ),
  sepaDebited: payment.out("10000501000", "SEPA inkaso", "SEPA direct debit"),
  sepaCollected: payment.in("10000502000", "SEPA inkaso ve prospěch", "SEPA direct debit, collected"),
  sepaBusinessDebited: payment.out("10000503000", "SEPA inkaso B2B", "SEPA B2B direct debit"),
  sepaBusinessCollected: payment.in(
    "10000504000",
    "SEPA inkaso B2B ve prospěch",
    "SEPA B2B direct debit, collected",
  ),
  // Cash.
  cashDeposit: cash.in("20000101000", "Vklad hotovosti", "Cash deposit"),
  cashDepositForeign: cash.in(
    "20000102000",
    "Vklad hotovosti v cizí měně",
    "Cash deposit in a foreign currency",
  ),
  cashDepositExchanged: cash.in(
    "20000103000",
    "Vklad hotovosti s převodem měny",
    "Cash deposit with conversion",
  ),
  cashElsewhere: cash.out(
    "20000104000",
    "Vklad na účet v jiné bance",
    "Cash deposit to an account with another bank",
  ),
  cashWithdrawal: cash.out("20000201000", "Výběr hotovosti", "Cash withdrawal"),
  cashWithdrawalForeign: cash.out(
    "20000202000",
    "Výběr hotovosti v cizí měně",
    "Cash withdrawal in a foreign currency",
  ),
  cashWithdrawalExchanged: cash.out(
    "20000203000",
    "Výběr hotovosti s převodem měny",
    "Cash withdrawal with conversion",
  ),
  cashProcessing: cash.out("20000301000", "Zpracování hotovosti", "Cash processing"),
  cashOther: cash.out("20000302000", "Ostatní hotovostní služba", "Other cash service"),
  // Cards.
  atm: machine.out("30000101000", "Výběr z bankomatu", "Cash machine withdrawal"),
  atmAbroad: machine.out("30000102000", "Výběr z bankomatu v zahraničí", "Cash machine withdrawal abroad"),
  atmDeposit: machine.in("30000103000", "Vklad v bankomatu", "Cash machine deposit"),
  card: card.out("30000201000", "Platba kartou", "Card payment"),
  cashback: card.out("30000202000", "Platba kartou s cashback", "Card payment with cashback"),
  cashAdvance: card.out("30000203000", "Hotovost na kartu u přepážky", "Cash advance by card"),
  cardOther: card.in("30000301000", "Vrácení platby kartou", "Card payment refunded"),
  // Fees.
  feeOutgoing: charged.out("40000101000", "Cena za odchozí platby", "Fee for outgoing payments"),
  feeIncoming: charged.out("40000102000", "Cena za příchozí platby", "Fee for incoming payments"),
  feeStandingOrder: charged.out("40000103000", "Cena za trvalé příkazy", "Fee for standing orders"),
  feeDomestic: charged.out(
    "40000104000",
    "Cena za ostatní platební služby",
    "Fee for other domestic services",
  ),
  feeForeignOutgoing: charged.out(
    "40000201000",
    "Cena za zahraniční platbu",
    "Fee for an outgoing foreign payment",
  ),
  feeForeignIncoming: charged.out(
    "40000202000",
    "Cena za příchozí zahraniční platbu",
    "Fee for an incoming foreign payment",
  ),
  foreignFee: charged.out("40000203000", "Cena za vedení účtu", "Account fee"),
  feeSepaOutgoing: charged.out("40000301000", "Cena za SEPA úhrady", "Fee for SEPA transfers"),
  feeSepaIncoming: charged.out(
    "40000302000",
    "Cena za příchozí SEPA úhrady",
    "Fee for incoming SEPA transfers",
  ),
  feeSepaDebit: charged.out("40000303000", "Cena za SEPA inkaso", "Fee for SEPA direct debits"),
  feeSepaBusiness: charged.out("40000304000", "Cena za SEPA inkaso B2B", "Fee for SEPA B2B direct debits"),
  feeCashDeposit: charged.out("40000401000", "Cena za vklad hotovosti", "Fee for cash deposits"),
  feeCashWithdrawal: charged.out("40000402000", "Cena za výběr hotovosti", "Fee for cash withdrawals"),
  feeCashOther: charged.out("40000403000", "Cena za hotovostní služby", "Fee for other cash services"),
  feeAtm: charged.out("40000501000", "Cena za výběr z bankomatu", "Fee for cash machines"),
  feePos: charged.out("40000502000", "Cena za platby kartou", "Fee for card payments"),
  feeCard: charged.out("40000503000", "Cena za vedení karty", "Card fee"),
  feeLoan: charged.out("40000601000", "Cena za správu úvěru", "Loan fee"),
  feeCheque: charged.out("40000602000", "Cena za proplacení šeku", "Cheque fee"),
  feeTrade: charged.out("40000603000", "Cena za akreditiv", "Trade finance fee"),
  feeTreasury: charged.out("40000604000", "Cena za treasury služby", "Treasury fee"),
  fee: charged.out("40000605000", "Cena za vedení účtu", "Account fee"),
  // R-transactions; each reverses a direct debit of the PSU, as payer or as payee.
  sepaReturn: payment.out("50000201001", "SEPA inkaso - vrácení", "SEPA direct debit return"),
  sepaRefund: payment.in("50000201002", "SEPA inkaso - vrácení na žádost plátce", "SEPA direct debit refund"),
  sepaReversal: payment.in("50000201003", "SEPA inkaso - stornování", "SEPA direct debit reversal"),
  sepaReject: payment.out("50000201004", "SEPA inkaso - zamítnutí", "SEPA direct debit reject"),
  sepaRefusal: payment.in("50000201005", "SEPA inkaso - odmítnutí", "SEPA direct debit refusal"),
  sepaRevocation: payment.out("50000201006", "SEPA inkaso - odvolání", "SEPA direct debit revocation"),
  sepaCancellation: payment.out(
    "50000201007",
    "SEPA inkaso - žádost o zrušení",
    "SEPA direct debit, request for cancellation",
  ),
  businessReturn: payment.out("50000202001", "SEPA inkaso B2B - vrácení", "SEPA B2B direct debit return"),
  businessRefund: payment.in(
    "50000202002",
    "SEPA inkaso B2B - vrácení na žádost plátce",
    "SEPA B2B direct debit refund",
  ),
  businessReversal: payment.in(
    "50000202003",
    "SEPA inkaso B2B - stornování",
    "SEPA B2B direct debit reversal",
  ),
  businessReject: payment.out("50000202004", "SEPA inkaso B2B - zamítnutí", "SEPA B2B direct debit reject"),
  businessRefusal: payment.in("50000202005", "SEPA inkaso B2B - odmítnutí", "SEPA B2B direct debit refusal"),
  businessRevocation: payment.out(
    "50000202006",
    "SEPA inkaso B2B - odvolání",
    "SEPA B2B direct debit revocation",
  ),
  businessCancellation: payment.out(
    "50000202007",
    "SEPA inkaso B2B - žádost o zrušení",
    "SEPA B2B direct debit, request for cancellation",
  ),
  // Others.
  loanDrawn: loan.in("90000101000", "Čerpání úvěru", "Loan drawn"),
  loanRepaid: loan.out("90000101000", "Splátka úvěru", "Loan repayment"),
  interest: interest.in("90000201000", "Připsaný úrok", "Interest paid"),
  interestOwed: interest.out("90000201000", "Úrok z kontokorentu", "Interest on the overdraft"),
  cheque: payment.in("90000301000", "Proplacení šeku", "Cheque cashed"),
  tradeFinance: payment.out("90000401000", "Úhrada akreditivu", "Letter of credit paid"),
  exchangeOut: exchange.out("90000501000", "Převod mezi měnami účtu", "Currency exchange"),
  exchangeIn: exchange.in("90000501000", "Převod mezi měnami účtu", "Currency exchange"),
  bonus: charged.in("90000601000", "Odměna za placení kartou", "Card reward"),
  otherService: charged.out("90000701000", "Ostatní služby", "Other services"),
} as const satisfies Record<string, BookingKind>;

/** Name of a kind of booking. */
export type BookingKindName = keyof typeof BOOKING_KINDS;

/** The text of a booking that the bank cancels. */
export function cancelledText({ cs, en }: Localized): Localized {
  return { cs: `Storno: ${cs}`, en: `Cancelled: ${en}` };
}
