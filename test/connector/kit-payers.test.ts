import { type Account, type Fault, parseAccountId } from "@cobs/cobs-model";
import type { Bank } from "@cobs/resource/sandbox";
import { expect } from "chai";
import { SANDBOX_TERMS } from "../../packages/resource/src/bank/sandbox-orders/sandbox-terms.ts";
import { KIT_CHECKS } from "../../packages/resource/src/core-kit/run-kit.ts";
import { FUNDS_OF_ONE_IBAN } from "../../packages/resource/src/core-kit/shared-iban-checks.ts";
import { believingTypes } from "./believing-types.ts";
import { atCoreOf, checksFor, clausesOf, resultsOf } from "./kit-at-core.ts";
import { ANNA, fundsForEverything, memoryBank } from "./memory-bank.ts";

const judge = (bank: Bank, ...clauses: readonly string[]) =>
  atCoreOf(bank, (url) => resultsOf(url, clauses.length === 0 ? KIT_CHECKS : checksFor(...clauses)));

const EXECUTED = ["7.1", "7.2", "7.3", "7.8"];
/** Both have one IBAN. */
const [FIRST, EURO] = [parseAccountId("a1"), parseAccountId("a1-eur")];
const NOT_PAYING: Fault = { code: "AC12", path: undefined, message: "no payment account" };

/** A right bank some of whose accounts of Anna cannot pay. */
function withSavings(...savings: readonly string[]): Bank {
  const bank = memoryBank();
  const savingsFirst = (one: Account, other: Account) =>
    Number(savings.includes(other.id)) - Number(savings.includes(one.id));
  return {
    ...bank,
    accountsOf: async (psu) => (await bank.accountsOf(psu)).toSorted(savingsFirst),
    inspectOrder: async (wanted) => {
      const told = await bank.inspectOrder(wanted);
      if (told.account === undefined || !savings.includes(told.account)) return told;
      return { ...told, faults: [...told.faults, NOT_PAYING] };
    },
    hasFunds: async (question) => {
      const told = await bank.hasFunds(question);
      return told.known && savings.includes(told.account) ? { known: false, fault: NOT_PAYING } : told;
    },
    acceptOrder: async (order) => {
      if (savings.includes(order.account)) return { outcome: "rejected", reason: "other" };
      return bank.acceptOrder(order);
    },
  };
}

/** A right bank that has these priorities of domestic payments alone, with these cut-off times. */
function withPriorities(domestic: readonly ("NORM" | "HIGH" | "INST")[], cutOff = "23:59"): Bank {
  const bank = memoryBank();
  const times = { NORM: cutOff, HIGH: cutOff };
  return {
    ...bank,
    terms: async () => ({
      ...SANDBOX_TERMS,
      priorities: { ...SANDBOX_TERMS.priorities, domestic },
      cutOff: { ...SANDBOX_TERMS.cutOff, domestic: times },
    }),
    acceptOrder: async (order) =>
      domestic.includes(order.order.priority)
        ? bank.acceptOrder(order)
        : { outcome: "rejected", reason: "other" },
  };
}

describe("the test kit on the account and the priority of its orders (contract, clauses 6 and 7)", () => {
  it("passes a core system whose first account cannot pay", async () => {
    const results = await judge(withSavings("a2"));
    expect(results.filter(({ outcome }) => outcome !== "passed")).to.deep.equal([]);
  });

  it("fails a core system that has funds for everything, even if such an account comes first, at clause 6.3", async () => {
    const bank = { ...withSavings("a2"), hasFunds: fundsForEverything };
    expect(clausesOf(await judge(bank, "6.3"), "failed")).to.deep.equal(["6.3", "6.3", "6.3", "6.3", "6.3"]);
  });

  it("fails a core system that refuses an account that can pay only when asked for funds, and says how", async () => {
    const { hasFunds } = withSavings("a1");
    const [result] = await judge({ ...memoryBank(), hasFunds }, "6.3");
    expect(result?.outcome).to.equal("failed");
    expect(result?.seen).to.match(/^a question for funds of an account that can pay gets AC12/);
  });

  it("says what the bank has against each account if none can pay", async () => {
    const results = await judge(withSavings("a1", "a2", "a2-eur"), "6.3", ...EXECUTED);
    expect(results.map(({ outcome }) => outcome)).to.deep.equal(results.map(() => "not shown"));
    for (const { title, seen } of results)
      if (title === FUNDS_OF_ONE_IBAN.title)
        expect(seen).to.match(/^none of the accounts that share an IBAN /);
      else expect(seen).to.match(/^no account can pay a small order to \S+: AC12$/);
  });

  it("looks at the transactions and balances of the paying account, however late it is listed", async () => {
    const bank = withSavings("a2", "s1", "s2", "s3");
    const accountsOf: Bank["accountsOf"] = async (psu) => {
      const accounts = await bank.accountsOf(psu);
      const [first] = accounts;
      if (psu !== ANNA || first === undefined) return accounts;
      const more = ["s1", "s2", "s3"].map((id) => ({ ...first, id: parseAccountId(id) }));
      return [...more, ...accounts];
    };
    const savingsAs = <T extends { readonly account: string }>(of: T) =>
      of.account.startsWith("s") ? { ...of, account: parseAccountId("a2") } : of;
    const results = await judge(
      {
        ...bank,
        accountsOf,
        balancesOf: (of) => bank.balancesOf(savingsAs(of)),
        listTransactions: (of) => bank.listTransactions(savingsAs(of)),
      },
      ...EXECUTED,
    );
    expect(results.filter(({ outcome }) => outcome !== "passed")).to.deep.equal([]);
  });

  it("passes a core system that lists each currency as an account, of which the second pays", async () => {
    const bank = memoryBank();
    const listed: Bank["accountsOf"] = async (psu) => {
      const accounts = await bank.accountsOf(psu);
      const [first] = accounts;
      return psu !== ANNA || first === undefined ? accounts : [{ ...first, id: EURO }, ...accounts];
    };
    const results = await judge(
      {
        ...bank,
        accountsOf: listed,
        balancesOf: (of) => bank.balancesOf(of.account === EURO ? { ...of, account: FIRST } : of),
      },
      "6.2",
      "6.3",
    );
    expect(results.filter(({ outcome }) => outcome !== "passed")).to.deep.equal([]);
  });

  it("sends no order with a priority that the bank does not have", async () => {
    const results = await judge(withPriorities(["NORM", "HIGH"]));
    expect(clausesOf(results, "failed")).to.deep.equal([]);
    for (const { outcome, seen } of results)
      if (outcome === "not shown") expect(seen).to.match(/^an order of priority HIGH .* is executed on /);
  });

  it("sends an order for a later day with the only priority there is", async () => {
    const results = await judge(withPriorities(["INST"]));
    expect(results.filter(({ outcome }) => outcome !== "passed")).to.deep.equal([]);
  });

  it("reports 'not shown' for what it would have to wait for until another day", async () => {
    const results = await judge(withPriorities(["NORM"], "00:00"), ...EXECUTED, "7.4", "7.5");
    const notShown = results.filter(({ outcome }) => outcome === "not shown");
    expect(notShown.map(({ clause }) => clause)).to.deep.equal([...EXECUTED, "7.8"]);
    for (const { seen } of notShown)
      expect(seen).to.match(/^an order of priority NORM given now is not executed before \d{4}-\d\d-\d\d/);
    expect(clausesOf(results, "passed")).to.deep.equal(["7.4", "7.4", "7.5"]);
  });

  it("sends no order whose outcome it could not see today", async () => {
    const bank = withPriorities(["NORM"], "00:00");
    let sent = 0;
    const acceptOrder: Bank["acceptOrder"] = (order) => {
      sent += 1;
      return bank.acceptOrder(order);
    };
    await judge({ ...bank, acceptOrder }, ...EXECUTED);
    expect(sent).to.equal(0);
  });

  it("reports 'not shown' if the bank executes no order that the kit can make", async () => {
    const results = await judge(withPriorities([]), "6.2", "6.3", "7.1");
    const ofFunds = ["6.3", "6.3", "6.3", "6.3"];
    expect(clausesOf(results, "not shown")).to.deep.equal(["6.2", "6.2", "6.2", ...ofFunds, "7.1"]);
  });

  it("gives each order the type that follows from its payee and its currency", async () => {
    const results = await judge(believingTypes(memoryBank()));
    expect(results.filter(({ outcome }) => outcome !== "passed")).to.deep.equal([]);
  });
});
