import {
  type Account,
  makeCzechIban,
  parseAccountId,
  parseCurrencyCode,
  parseCzechAccountNumber,
} from "@cobs/cobs-model";
import type { Bank } from "@cobs/resource/sandbox";
import { expect } from "chai";
import { runKit } from "../../packages/resource/src/core-kit/run-kit.ts";
import { atCoreOf, checksFor, openCoreAt, PAYEE } from "./kit-at-core.ts";
import { ANNA, BORIS, memoryBank } from "./memory-bank.ts";

/** Of no bank. */
const ELSEWHERE = makeCzechIban("9999", parseCzechAccountNumber("2000000018"));

const judge = (bank: Bank, parts: Partial<Parameters<typeof runKit>[0]> = {}) =>
  atCoreOf(bank, async (url) => {
    const core = await openCoreAt(url);
    const whole = { core, psu: ANNA, otherPsu: BORIS, payee: PAYEE, ...parts };
    return runKit(whole, checksFor("7.1")).finally(() => core.close());
  }).then(([result]) => result);

/** A right bank that tells its accounts in another way. */
function telling(tell: (accounts: readonly Account[]) => readonly Account[]): Bank {
  const bank = memoryBank();
  return { ...bank, accountsOf: async (psu) => tell(await bank.accountsOf(psu)) };
}

describe("the test kit on why no account can pay (contract, clauses 6.2 and 7.1)", () => {
  it("says that the only account is the payee's", async () => {
    const result = await judge(memoryBank(), { psu: BORIS, otherPsu: ANNA });
    expect(result?.outcome).to.equal("not shown");
    expect(result?.seen).to.match(/^no account can pay a small order to \S+: it is the payee$/);
  });

  it("says that a payment in this currency needs more than an IBAN", async () => {
    const currency = parseCurrencyCode("USD");
    const bank = telling((accounts) => accounts.map((account) => ({ ...account, currency })));
    const result = await judge(bank, { payee: ELSEWHERE });
    expect(result?.outcome).to.equal("not shown");
    expect(result?.seen).to.match(
      /^no account can pay a small order to \S+: no domestic or SEPA payment to the payee is executed in USD$/,
    );
  });

  it("says how many accounts it looked at if there are more", async () => {
    const currency = parseCurrencyCode("SEK");
    const copies = Array.from({ length: 21 }, (_none, place) => parseAccountId(`s${place}`));
    const bank = telling(([first]) =>
      first === undefined ? [] : copies.map((id) => ({ ...first, id, currency })),
    );
    const result = await judge(bank, { payee: ELSEWHERE });
    expect(result?.outcome).to.equal("not shown");
    expect(result?.seen).to.match(/^none of the first 20 accounts can pay a small order to /);
  });

  it("fails a core system that names another account as the paying one", async () => {
    const bank = memoryBank();
    const other = parseAccountId("a2");
    const inspectOrder: Bank["inspectOrder"] = async (wanted) => {
      const told = await bank.inspectOrder(wanted);
      return told.account === undefined ? told : { ...told, account: other };
    };
    const result = await judge({ ...bank, inspectOrder });
    expect(result?.outcome).to.equal("failed");
    expect(result?.seen).to.match(
      /^the order of account a1 would be paid from a different account, at POST \/order-inspections/,
    );
  });
});
