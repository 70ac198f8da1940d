import { parseAccountId, parseCurrencyCode, parseIban, parsePsuId } from "@cobs/cobs-model";
import { expect } from "chai";
import type { Bank } from "../../packages/resource/src/bank/bank.ts";
import type { FundsQuestion } from "../../packages/resource/src/bank/orders.ts";
import { rejectionOf } from "../support/rejection.ts";
import { connectCore } from "./connector/connect-core.ts";
import { answering, type ScriptedCore, startScriptedCore } from "./connector/scripted-core.ts";

const CZK = parseCurrencyCode("CZK");
const IBAN = parseIban("CZ3299000000002000000018");
const COVERED = parseAccountId("a1");
const ALSO = parseAccountId("a2");
const OTHER = parseAccountId("a3");
const QUESTION: FundsQuestion = {
  psu: parsePsuId("anna"),
  accounts: [COVERED, ALSO],
  iban: IBAN,
  currency: undefined,
  amount: { minor: 1n, currency: CZK },
};
const ABOUT = { psuId: "anna", iban: IBAN };
const NEITHER = { accountId: null, enough: null };
const THERE = { accountId: COVERED, enough: true, fault: null };

describe("a core system's answer about funds", () => {
  let core: ScriptedCore;
  let bank: Bank;
  let close: () => Promise<void>;
  beforeEach(async () => {
    core = await startScriptedCore();
    ({ bank, close } = await connectCore(core.url));
  });
  afterEach(async () => {
    await close();
    await core.die();
  });

  function ask(answer: object, changed: Partial<FundsQuestion> = {}) {
    core.behave(answering({ ...ABOUT, ...answer }));
    return bank.hasFunds({ ...QUESTION, ...changed });
  }

  async function expectUnbelieved(answered: Promise<unknown>, what: string) {
    const detail = `${what} (clause 6.3)`;
    expect(await rejectionOf(answered), what).to.include({ code: "answer_malformed", detail });
  }

  it("says yes or no of a covered account, and is not believed of another with the same IBAN", async () => {
    for (const account of [COVERED, ALSO])
      for (const enough of [true, false]) {
        const told = await ask({ ...THERE, accountId: account, enough, balance: "10.00" });
        expect(told).to.deep.equal({ known: true, account, enough });
      }
    const of = "accountId is not one of accountIds";
    await expectUnbelieved(ask({ ...THERE, accountId: OTHER }), of);
  });

  it("must name an account and say yes or no", async () => {
    const rows: readonly (readonly [object, string])[] = [
      [{ accountId: undefined }, "accountId is missing; it may be null, but not absent"],
      [{ accountId: null }, "accountId is null, but enough is not"],
      [{ enough: undefined }, "enough is missing; it may be null, but not absent"],
      [{ enough: "yes" }, "enough must be true or false"],
      [{ enough: 1 }, "enough must be true or false"],
    ];
    for (const [changed, what] of rows) await expectUnbelieved(ask({ ...THERE, ...changed }), what);
  });

  it("must be a yes, a no or a fault: a mixture or nothing is not believed", async () => {
    const both = "fault is given together with enough or accountId";
    const none = "fault must be one of AC02, AC12, AM11";
    const rows: readonly (readonly [object, string])[] = [
      [{ fault: "AC02" }, both],
      [{ enough: false, fault: "AC12" }, both],
      [{ enough: null, fault: "AC12" }, both],
      [{ accountId: null, fault: "AC12" }, both],
      [{ fault: "nonsense" }, none],
      [{ enough: false, fault: 7 }, none],
      [{ fault: undefined }, "fault is missing; it may be null, but not absent"],
      [{ accountId: null, enough: null }, "enough and fault are both null"],
    ];
    for (const [changed, what] of rows) await expectUnbelieved(ask({ ...THERE, ...changed }), what);
    expect(await ask({ ...NEITHER, fault: "AC12" })).to.have.nested.property("fault.code", "AC12");
  });

  it("may object to the account's currency only where one was named", async () => {
    const answer = { ...NEITHER, fault: "AC09" };
    await expectUnbelieved(ask(answer), "fault must not be AC09, because the question names no currency");
    const told = await ask(answer, { currency: CZK });
    expect(told).to.have.nested.property("fault.code", "AC09");
  });
});
