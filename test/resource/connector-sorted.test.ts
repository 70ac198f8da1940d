import { parseAccountId, parsePsuId, type Sort, type TransactionSortField } from "@cobs/cobs-model";
import { expect } from "chai";
import { rejectionOf } from "../support/rejection.ts";
import { type ConnectedBank, connectCore } from "./connector/connect-core.ts";
import { OF_A1, SAMPLE_TRANSACTION } from "./connector/sample-answers.ts";
import { answering, type ScriptedCore, startScriptedCore } from "./connector/scripted-core.ts";

type Keys = readonly Sort<TransactionSortField>[];
type Changed = Partial<Record<keyof typeof SAMPLE_TRANSACTION, unknown>>;

const MAY = {
  psu: parsePsuId("anna"),
  account: parseAccountId("a1"),
  currency: undefined,
  from: new Date("2026-04-30T22:00:00Z"),
  before: undefined,
};

const ASC = "asc";
const DESC = "desc";
const by = (field: TransactionSortField, direction: "asc" | "desc") => ({ field, direction });

const booked = (bookingDate: string, changed: Changed = {}): Changed => ({ bookingDate, ...changed });
const pending = (bookingDate: string): Changed => ({ bookingDate, status: "PDNG" });
const of = (value: string, changed: Changed = {}): Changed => ({
  amount: { value, currency: "CZK" },
  ...changed,
});
const named = (entryReference: string | null): Changed => ({ entryReference });
const valued = (valueDate: string): Changed => ({ valueDate });

const NOON = "2026-05-02T12:00:00.000+02:00";
/** A millisecond after noon, by another clock. */
const AFTER_NOON = "2026-05-02T10:00:00.001Z";
/** On the third of May in Prague. */
const LATE = "2026-05-02T22:30:00Z";

/** Pages that are not in the order that was asked for, and the place and the clause that the log is told. */
const UNSORTED: readonly (readonly [string, Keys, readonly Changed[], string])[] = [
  ["the oldest first", [], [booked("2026-05-02"), booked("2026-05-03")], "[0] is not in order, newest"],
  ["an older instant of a day first", [], [booked(NOON), booked(AFTER_NOON)], "[0] is not in order,"],
  [
    "instants of a day reversed around one that gives the day alone",
    [],
    [booked(NOON), booked("2026-05-02"), booked(AFTER_NOON)],
    "[0] is not in order, newest first (clause 5.4)",
  ],
  [
    "a pending one behind a booked one",
    [],
    [pending("2026-05-03"), booked("2026-05-02"), pending("2026-05-03")],
    "[2] is pending, but comes after a booked one (clause 5.4)",
  ],
  [
    "the newest first for the oldest first",
    [by("bookingDate", ASC)],
    [booked("2026-05-03"), booked("2026-05-02")],
    "[1] is not in the order that was asked for (clause 5.5)",
  ],
  [
    "the oldest first, pending ones between them",
    [by("bookingDate", DESC)],
    [booked("2026-05-02"), pending("2026-05-02"), booked(LATE)],
    "[0] is not in the order that was asked for (clause 5.5)",
  ],
  [
    "small amounts first",
    [by("amount", DESC)],
    [of("9.00"), of("10.00")],
    "[1] is not in the order that was",
  ],
  ["large amounts first", [by("amount", ASC)], [of("10.00"), of("9.00")], "[1] is not in the order that was"],
  [
    "late value dates first",
    [by("valueDate", ASC)],
    [valued("2026-05-03"), valued("2026-05-02")],
    "[1] is not in the order that was asked for (clause 5.5)",
  ],
  [
    "low references first, some of them unknown",
    [by("entryReference", DESC)],
    [named("T-1"), named(null), named("T-2")],
    "[2] is not in the order that was asked for (clause 5.5)",
  ],
  [
    "one day's amounts unsorted",
    [by("bookingDate", DESC), by("amount", ASC)],
    [booked("2026-05-03", of("2.00")), booked(LATE, of("1.00"))],
    "[1] is not in the order that was asked for (clause 5.5)",
  ],
  [
    "days unsorted, their amounts sorted",
    [by("bookingDate", DESC), by("amount", ASC)],
    [booked("2026-05-02", of("1.00")), booked(LATE, of("2.00"))],
    "[1] is not in the order that was asked for (clause 5.5)",
  ],
  [
    "one amount's days unsorted",
    [by("amount", ASC), by("bookingDate", DESC)],
    [of("1.00", booked("2026-05-02")), of("1.00", booked("2026-05-03"))],
    "[1] is not in the order that was asked for (clause 5.5)",
  ],
];

/** Pages that are, or that the contract does not forbid. */
const SORTED: readonly (readonly [string, Keys, readonly Changed[]])[] = [
  ["nothing", [], []],
  ["pending ones, then the newest", [], [pending("2026-05-02"), pending("2026-05-03"), booked("2026-05-03")]],
  ["pending ones alone", [], [pending("2026-05-02"), pending("2026-05-03")]],
  ["instants of a day, the latest first", [], [booked(AFTER_NOON), booked(NOON)]],
  ["equal instants", [], [booked(NOON), booked("2026-05-02T10:00:00Z")]],
  [
    "instants around one that gives the day alone",
    [by("bookingDate", ASC)],
    [booked(NOON), booked("2026-05-02"), booked(AFTER_NOON), booked(LATE), booked("2026-05-03")],
  ],
  [
    "pending ones wherever they are among days that were asked for",
    [by("bookingDate", ASC)],
    [booked("2026-05-02"), pending("2026-05-01"), booked("2026-05-03")],
  ],
  [
    "instants of a day in no order, which other fields decide",
    [by("bookingDate", DESC), by("amount", ASC)],
    [booked(NOON, of("1.00")), booked(AFTER_NOON, of("1.00")), booked("2026-05-02", of("2.00"))],
  ],
  ["amounts without their signs", [by("amount", ASC)], [of("1.00", { direction: "CRDT" }), of("2.00")]],
  ["texts, not numbers", [by("entryReference", ASC)], [named("T-10"), named("T-9")]],
  [
    "letters in the order of some alphabet",
    [by("entryReference", ASC)],
    [named("b"), named("A"), named("ch")],
  ],
  [
    "what another field decides, behind letters that an alphabet does",
    [by("entryReference", ASC), by("amount", ASC)],
    [of("2.00", named("b")), of("1.00", named("A"))],
  ],
  ["unknown references anywhere", [by("entryReference", DESC)], [named(null), named("T-2"), named(null)]],
  [
    "unknown references anywhere among equal amounts",
    [by("amount", ASC), by("entryReference", ASC)],
    [of("1.00", named(null)), of("1.00", named("T-2")), of("1.00", named(null))],
  ],
];

describe("a core system's page of transactions", () => {
  let core: ScriptedCore;
  let connected: ConnectedBank;
  before(async () => {
    core = await startScriptedCore();
    connected = await connectCore(core.url);
  });
  after(async () => {
    await connected.close();
    await core.die();
  });

  const list = (sort: Keys, changes: readonly Changed[]) => {
    const transactions = changes.map((changed) => ({ ...SAMPLE_TRANSACTION, ...changed }));
    core.behave(answering({ ...OF_A1, totalCount: transactions.length, transactions }));
    return connected.bank.listTransactions({ ...MAY, sort, page: { page: 0, size: 100 } });
  };

  for (const [what, sort, changes, detail] of UNSORTED)
    it(`is not believed with ${what}`, async () => {
      const refusal = await rejectionOf(list(sort, changes));
      expect(refusal).to.include({ code: "answer_malformed" });
      expect(refusal).to.have.property("detail").that.includes(`transactions${detail}`);
    });

  for (const [what, sort, changes] of SORTED)
    it(`is believed with ${what}`, async () => {
      expect((await list(sort, changes)).entries).to.have.length(changes.length);
    });

  it("is not believed with a second currency, whichever was requested (clause 5.1)", async () => {
    const euro = { amount: { value: "1.00", currency: "EUR" } };
    expect(await rejectionOf(list([], [{}, euro]))).to.include({
      code: "answer_malformed",
      detail: "transactions[1].amount.currency differs from that of the first (clause 5.1)",
    });
  });
});
