import {
  type Account,
  makeCzechIban,
  type PsuId,
  parseCzechAccountNumber,
  parseIban,
} from "@cobs/cobs-model";
import type { Bank } from "@cobs/resource/sandbox";
import { expect } from "chai";
import { SANDBOX_TERMS } from "../../packages/resource/src/bank/sandbox-orders/sandbox-terms.ts";
import { atCoreOf, checksFor, resultsOf } from "./kit-at-core.ts";
import { memoryBank } from "./memory-bank.ts";

const NUMBER = parseCzechAccountNumber("2000000026");
const SERVICER = { countryCode: "CZ", bic: null };

const judgeCode = async (bank: Bank) => {
  const checks = checksFor("6.1").filter(({ title }) => title.startsWith("The code of the bank"));
  const [result] = await atCoreOf(bank, (url) => resultsOf(url, checks));
  return result;
};

describe("the test kit on the terms of a bank (contract, clause 6.1)", () => {
  it("explains a wrong answer once, and refers to it in the other checks that need it", async () => {
    const bank = { ...memoryBank(), terms: async () => ({ ...SANDBOX_TERMS, maxDaysAhead: 99_999 }) };
    const results = await atCoreOf(bank, (url) => resultsOf(url));
    const [first, ...others] = results.filter(({ outcome }) => outcome === "failed");
    expect(first?.seen).to.match(/^answer_malformed: maxDaysAhead /);
    expect(others).to.have.length.above(10);
    for (const { seen } of others) expect(seen).to.equal(`the same answer as in ${first?.clause}`);
  });

  it("fails a code of the bank that no account of the PSU has in its IBAN", async () => {
    const bank = { ...memoryBank(), terms: async () => ({ ...SANDBOX_TERMS, bankCode: "0800" }) };
    const result = await judgeCode(bank);
    expect(result?.outcome).to.equal("failed");
    expect(result?.seen).to.match(/^bankCode is 0800, but the IBANs have 9900, at GET \/terms, /);
  });

  it("passes the code of the bank if one of several accounts has it in its IBAN", async () => {
    const { accountsOf, ...bank } = memoryBank();
    const [iban, servicer] = [makeCzechIban("0800", NUMBER), { ...SERVICER, bankCode: "0800" }];
    const elsewhere = (account: Account) => ({ ...account, iban, number: NUMBER, servicer });
    const withOther = async (psu: PsuId) =>
      (await accountsOf(psu)).map((account, place) => (place === 0 ? elsewhere(account) : account));
    expect(await judgeCode({ ...bank, accountsOf: withOther })).to.include({
      outcome: "passed",
      seen: "9900",
    });
  });

  it("reports 'not shown' for the code of the bank if the PSU has no Czech IBAN", async () => {
    const { accountsOf, ...bank } = memoryBank();
    const iban = parseIban("DE89370400440532013000");
    const abroad = async (psu: PsuId) => (await accountsOf(psu)).map((account) => ({ ...account, iban }));
    expect((await judgeCode({ ...bank, accountsOf: abroad }))?.outcome).to.equal("not shown");
  });

  it("reports 'not shown' for the charges of a bank that executes no type of payment", async () => {
    const priorities = { domestic: [], sepa: [], "inside-eea": [], "outside-eea": [] };
    const bank = { ...memoryBank(), terms: async () => ({ ...SANDBOX_TERMS, priorities }) };
    const ofCharges = checksFor("6.2").filter(({ title }) => title.startsWith("A charge of each type"));
    const [result] = await atCoreOf(bank, (url) => resultsOf(url, ofCharges));
    expect(result?.outcome).to.equal("not shown");
  });
});
