import { parseAccountId, parsePsuId } from "@cobs/cobs-model";
import { parseOrganisationIdentifier } from "@cobs/psd2-certificates";
import { expect } from "chai";
import type { BalanceCheckStore } from "../../../packages/resource/src/balance-check/balance-check-store.ts";
import {
  balanceCheckLimits,
  checkBalance,
} from "../../../packages/resource/src/balance-check/check-balance.ts";
import { questionAbout } from "../../conformance/balance-check.ts";
import { rejectionOf } from "../../support/rejection.ts";
import { accountIdsOf, ONE } from "../small-bank.ts";

const ANSWER = 7n;
const [ACCOUNT = ""] = accountIdsOf(ONE);
const AWAY = new Error("the database is away");

/** A store that takes a question, and then does what is said here. */
function storeOf(then: Pick<BalanceCheckStore, "keepAnswer" | "giveBack">): BalanceCheckStore {
  return {
    take: async () => ({ result: "taken", responseIdentification: ANSWER }),
    moveTo: async () => ({ result: "taken", responseIdentification: ANSWER }),
    isRepeated: async () => false,
    listOf: async () => [],
    forgetOld: async () => 0,
    ...then,
  };
}

describe("a balance check whose answer cannot be stored", () => {
  const ask = (store: BalanceCheckStore) =>
    checkBalance(
      {
        bank: { hasFunds: async () => ({ known: true, account: parseAccountId(ACCOUNT), enough: true }) },
        store,
        limits: balanceCheckLimits(10),
      },
      {
        organisationIdentifier: parseOrganisationIdentifier("PSDCZ-CNB-1"),
        body: questionAbout(ACCOUNT),
        faults: [],
      },
      async () => [{ psu: parsePsuId(ONE), accounts: [parseAccountId(ACCOUNT)] }],
    );

  for (const [what, giveBackMore] of [
    ["releases its identification, so that it may be asked again", async () => {}],
    [
      "fails with the storage error even when releasing its identification fails",
      () => Promise.reject(new Error("later")),
    ],
  ] as const)
    it(`${what} (COBS 3.3.3)`, async () => {
      const given: bigint[] = [];
      const failure = await rejectionOf(
        ask(
          storeOf({
            keepAnswer: () => Promise.reject(AWAY),
            giveBack: (answer) => {
              given.push(answer);
              return giveBackMore();
            },
          }),
        ),
      );
      expect(failure).to.equal(AWAY);
      expect(given).to.deep.equal([ANSWER]);
    });
});

describe("the limits of balance checks", () => {
  it("are six questions an hour for each amount of an hour, and twice as many amounts in 24 hours", () => {
    expect(balanceCheckLimits(10)).to.deep.equal({ perHour: 60, amountsPerHour: 10, amountsPerDay: 20 });
  });
});
