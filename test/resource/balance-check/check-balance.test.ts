import { ContentRefusal, parseAccountId, parsePsuId } from "@cobs/cobs-model";
import { parseOrganisationIdentifier } from "@cobs/psd2-certificates";
import { expect } from "chai";
import type { BalanceCheckStore } from "../../../packages/resource/src/balance-check/balance-check-store.ts";
import {
  type BalanceCheckParts,
  balanceCheckLimits,
  checkBalance,
} from "../../../packages/resource/src/balance-check/check-balance.ts";
import { LimitRefusal } from "../../../packages/resource/src/limits/limit-refusal.ts";
import { questionAbout } from "../../conformance/balance-check.ts";
import { rejectionOf } from "../../support/rejection.ts";
import { accountIdsOf, MANY, ONE } from "../small-bank.ts";

const ANSWER = 7n;
const [ACCOUNT = ""] = accountIdsOf(ONE);
const [OTHER = ""] = accountIdsOf(MANY);
const AWAY = new Error("the database is away");

/** The store and the bank of a question that gets an answer, about another account than the one it was taken for. */
const ANSWERING: BalanceCheckStore & BalanceCheckParts["bank"] = {
  hasFunds: async () => ({ known: true, account: parseAccountId(OTHER), enough: true }),
  take: async () => ({ result: "taken", responseIdentification: ANSWER }),
  moveTo: async () => ({ result: "taken", responseIdentification: ANSWER }),
  keepAnswer: async () => {},
  giveBack: async () => {},
  isRepeated: async () => false,
  listOf: async () => [],
  forgetOld: async () => 0,
};

function ask(changed: Partial<typeof ANSWERING> = {}, holders: readonly string[] = [ONE]) {
  const store = { ...ANSWERING, ...changed };
  return checkBalance(
    { bank: store, store, limits: balanceCheckLimits(10) },
    {
      organisationIdentifier: parseOrganisationIdentifier("PSDCZ-CNB-1"),
      body: questionAbout(ACCOUNT),
      faults: [],
    },
    async () => holders.map((psu) => ({ psu: parsePsuId(psu), accounts: [parseAccountId(ACCOUNT)] })),
  );
}

describe("a balance check of an account with several holders who have agreed (A-79)", () => {
  const found = { known: true, account: parseAccountId(ACCOUNT), enough: true } as const;
  const wrong = (code: "AC02" | "AC09") =>
    ({ known: false, fault: { code, path: "", message: "" } }) as const;
  for (const [what, first, asked, told] of [
    ["asks about one alone who has it", found, [ONE], "enough"],
    [
      "asks about the next when the bank knows no such account of the first",
      wrong("AC02"),
      [ONE, MANY],
      "enough",
    ],
    ["asks about nobody else when the account is wrong for any of them", wrong("AC09"), [ONE], "AC09"],
  ] as const)
    it(what, async () => {
      const psus: string[] = [];
      const hasFunds: BalanceCheckParts["bank"]["hasFunds"] = async ({ psu }) => {
        psus.push(psu);
        return psus.length === 1 ? first : found;
      };
      const answer = await ask({ hasFunds }, [ONE, MANY]).then(
        ({ enough }) => (enough ? "enough" : "not enough"),
        (error: Error) => error.message,
      );
      expect([psus, answer]).to.deep.equal([asked, told]);
    });
});

describe("the identification of a balance check (COBS 3.3.3)", () => {
  const fail = () => Promise.reject(AWAY);
  const limited = { result: "limited", continuesAt: new Date(0), remainingMilliseconds: 1 } as const;
  const fault = { code: "AC02", path: "", message: "closed" } as const;
  const isAway = (failure: unknown) => failure === AWAY;
  const isContent = (failure: unknown) => failure instanceof ContentRefusal;
  const isLimit = (failure: unknown) => failure instanceof LimitRefusal;
  for (const [why, changed, isExpected] of [
    ["the bank does not answer", { hasFunds: fail }, isAway],
    ["the bank finds a fault", { hasFunds: async () => ({ known: false as const, fault }) }, isContent],
    ["the account that the bank chose is at a limit", { moveTo: async () => limited }, isLimit],
    ["the question cannot be counted for that account", { moveTo: fail }, isAway],
    ["the answer cannot be stored", { keepAnswer: fail }, isAway],
  ] as const)
    for (const [release, what] of [
      [async () => {}, "is released"],
      [() => Promise.reject(new Error("later")), "may fail to be released without hiding the reason"],
    ] as const)
      it(`${what} when ${why}`, async () => {
        const given: bigint[] = [];
        const giveBack = (answer: bigint) => {
          given.push(answer);
          return release();
        };
        const failure = await rejectionOf(ask({ ...changed, giveBack }));
        expect(failure).to.satisfy(isExpected);
        expect(given).to.deep.equal([ANSWER]);
      });

  it("stays used once there is an answer, or when it was never taken", async () => {
    let given = 0;
    const giveBack = async () => {
      given += 1;
    };
    expect((await ask({ giveBack })).enough).to.equal(true);
    expect(await rejectionOf(ask({ giveBack, take: fail }))).to.equal(AWAY);
    expect(await rejectionOf(ask({ giveBack, take: async () => limited }))).to.be.instanceOf(LimitRefusal);
    expect(given).to.equal(0);
  });
});

describe("the limits of balance checks", () => {
  it("are six questions an hour for each amount of an hour, and twice as many amounts in 24 hours", () => {
    expect(balanceCheckLimits(10)).to.deep.equal({ perHour: 60, amountsPerHour: 10, amountsPerDay: 20 });
  });
});
