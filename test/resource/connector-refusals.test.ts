import { parseAccountId, parseCurrencyCode, parsePsuId } from "@cobs/cobs-model";
import { expect } from "chai";
import type { AccountBank } from "../../packages/resource/src/bank/bank.ts";
import { rejectionOf } from "../support/rejection.ts";
import { type ConnectedBank, connectCore } from "./connector/connect-core.ts";
import {
  answering,
  type Behaviour,
  type ScriptedCore,
  startScriptedCore,
} from "./connector/scripted-core.ts";

type Asking = (bank: AccountBank) => Promise<unknown>;

const OF = { psu: parsePsuId("anna"), account: parseAccountId("a1") };
const CZK = parseCurrencyCode("CZK");
const OF_ALL_DAYS = {
  ...OF,
  from: new Date("2026-04-30T22:00:00Z"),
  before: undefined,
  page: { page: 0, size: 2 },
};
const BY_BOOKING = { field: "bookingDate", direction: "asc" } as const;
const BY_AMOUNT = { field: "amount", direction: "asc" } as const;

const refusing = (code: string, status: number) => answering({ status, title: "secret", code }, status);

/** What a question is refused with that it cannot get, and what the log says. */
const OUT_OF_PLACE: readonly (readonly [string, Asking, Behaviour, string])[] = [
  [
    "a currency, where balances were asked for without one (3.3)",
    (bank) => bank.balancesOf({ ...OF, currency: undefined }),
    refusing("currency_unknown", 400),
    "it was answered with 400: its code is currency_unknown, which the contract does not allow here with this status",
  ],
  [
    "a currency, where transactions were asked for without one (3.3)",
    (bank) => bank.listTransactions({ ...OF_ALL_DAYS, currency: undefined, sort: [] }),
    refusing("currency_unknown", 400),
    "it was answered with 400: its code is currency_unknown, which the contract does not allow here with this status",
  ],
  [
    "the order of booking (3.4)",
    (bank) => bank.listTransactions({ ...OF_ALL_DAYS, currency: CZK, sort: [BY_BOOKING] }),
    refusing("sort_too_large", 400),
    "it was answered with 400: its code is sort_too_large, which the contract does not allow here with this status",
  ],
  [
    "a question that the contract has",
    (bank) => bank.accountsOf(OF.psu),
    refusing("request_malformed", 400),
    "it was answered with 400: its code is request_malformed, which the contract does not allow here with this status",
  ],
  [
    "an account, with the status of another refusal (3.1)",
    (bank) => bank.balancesOf({ ...OF, currency: CZK }),
    refusing("account_unknown", 400),
    "it was answered with 400: its code is account_unknown, which the contract does not allow here with this status",
  ],
  [
    "with a code of its own",
    (bank) => bank.accountsOf(OF.psu),
    refusing("secret", 404),
    "it was answered with 404: it has no code of the contract",
  ],
  [
    "in another media type",
    (bank) => bank.balancesOf({ ...OF, currency: CZK }),
    (_, response) =>
      void response.writeHead(404, { "Content-Type": "application/json" }).end('{"code":"account_unknown"}'),
    "it was answered with 404: the media type is not application/problem+json",
  ],
];

describe("a core system that refuses", () => {
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

  for (const [what, ask, behaviour, detail] of OUT_OF_PLACE)
    it(`${what}, counts as failing, and the log says why`, async () => {
      core.behave(behaviour);
      expect(await rejectionOf(ask(connected.bank))).to.include({ code: "answer_status", detail });
    });

  it("a named currency, or sorting that needs all transactions, is believed (3.3, 3.4)", async () => {
    core.behave(refusing("currency_unknown", 400));
    const balances = connected.bank.balancesOf({ ...OF, currency: CZK });
    expect(await rejectionOf(balances)).to.include({ name: "BankRefusal", code: "currency_unknown" });
    core.behave(refusing("sort_too_large", 400));
    const sort = [BY_BOOKING, BY_AMOUNT];
    const transactions = connected.bank.listTransactions({ ...OF_ALL_DAYS, currency: CZK, sort });
    expect(await rejectionOf(transactions)).to.include({ name: "BankRefusal", code: "sort_too_large" });
  });
});
