/** The bank's own accounts that take the other side of a booking; each exists once per currency. */
export const BANK_ACCOUNTS = ["clearing", "cards", "cash", "fees", "interest"] as const;

/** One of the bank's own accounts. */
export type BankAccount = (typeof BANK_ACCOUNTS)[number];

/** How one kind of booking looks to the PSU: the code of the Czech Banking Association (COBS PDF 4.3). */
export type BookingKind = {
  readonly code: string;
  readonly direction: "in" | "out";
  readonly against: BankAccount;
};

/** Table of the kinds of bookings that occur in the demo bank. */
export const BOOKING_KINDS = {
  outgoing: { code: "10000101000", direction: "out", against: "clearing" },
  standingOrder: { code: "10000105000", direction: "out", against: "clearing" },
  sipo: { code: "10000106000", direction: "out", against: "clearing" },
  collection: { code: "10000104000", direction: "out", against: "clearing" },
  incoming: { code: "10000107000", direction: "in", against: "clearing" },
  sepaOutgoing: { code: "10000401000", direction: "out", against: "clearing" },
  sepaIncoming: { code: "10000403000", direction: "in", against: "clearing" },
  foreignOutgoing: { code: "10000201000", direction: "out", against: "clearing" },
  foreignIncoming: { code: "10000202000", direction: "in", against: "clearing" },
  cashDeposit: { code: "20000101000", direction: "in", against: "cash" },
  atm: { code: "30000101000", direction: "out", against: "cash" },
  card: { code: "30000201000", direction: "out", against: "cards" },
  fee: { code: "40000605000", direction: "out", against: "fees" },
  foreignFee: { code: "40000203000", direction: "out", against: "fees" },
  interest: { code: "90000201000", direction: "in", against: "interest" },
} as const satisfies Record<string, BookingKind>;

/** Name of a kind of booking. */
export type BookingKindName = keyof typeof BOOKING_KINDS;
