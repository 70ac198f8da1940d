import { expect } from "chai";
import { type RunningResource, runResource } from "../resource/running-resource.ts";
import { EMPTY, HISTORY, MULTI_CURRENCY, RICH } from "../resource/small-movements.ts";
import type { RawAnswer } from "../support/raw-https.ts";
import { balanceOf } from "./account-information.ts";

interface BalanceEntry {
  readonly type: { readonly codeOrProprietary: { readonly code: string } };
  readonly creditLine?: { readonly included: boolean; readonly amount: { readonly value: number } };
  readonly amount: { readonly value: number; readonly currency: string };
  readonly creditDebitIndicator: string;
  readonly date: { readonly dateTime: string };
}

const ISO_DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+(?:Z|[+-]\d\d:\d\d)$/;

/** Tests the wire format of `GET /my/accounts/{id}/balance`. */
describe("COBS 2.0, 3.1.4 balance", () => {
  let resource: RunningResource;
  let token: string;
  before(async () => {
    resource = await runResource();
    token = resource.giveToken();
  });
  after(() => resource.stop());

  const get = (id: string, query = "") => resource.call({ token, path: balanceOf(id, query) });
  const balancesOf = ({ body }: RawAnswer): BalanceEntry[] => JSON.parse(body).balances;
  const codesOf = (answer: RawAnswer) => balancesOf(answer).map(({ type }) => type.codeOrProprietary.code);
  const currenciesOf = (answer: RawAnswer) => balancesOf(answer).map(({ amount }) => amount.currency);

  it("is not paged and has only balances at its root (3.1.4)", async () => {
    const answer = await get(HISTORY);
    expect(answer.status).to.equal(200);
    expect(JSON.parse(answer.body)).to.have.all.keys("balances");
  });

  it("writes each balance with type, amount, indicator and date (3.1.4, A-04)", async () => {
    for (const balance of balancesOf(await get(EMPTY)))
      expect(balance).to.have.all.keys("type", "amount", "creditDebitIndicator", "date");
  });

  it("gives the available, the booked and the last closing balance (3.1.4)", async () => {
    expect(codesOf(await get(HISTORY))).to.have.members(["CLAV", "ITBD", "PRCD"]);
  });

  it("includes pending amounts and the overdraft only in the available balance (3.1.4)", async () => {
    const byCode = new Map(
      balancesOf(await get(HISTORY)).map((balance) => [balance.type.codeOrProprietary.code, balance]),
    );
    const [available, booked] = [byCode.get("CLAV"), byCode.get("ITBD")];
    expect(available?.creditLine).to.deep.equal({
      included: true,
      amount: { value: 10_000, currency: "CZK" },
    });
    expect(available?.amount.value).to.be.closeTo((booked?.amount.value ?? 0) + 10_000 - 499, 0.001);
    expect(booked).not.to.have.property("creditLine");
  });

  it("is unsigned, and zero is a credit (3.1.4)", async () => {
    for (const { amount, creditDebitIndicator } of balancesOf(await get(EMPTY))) {
      expect(amount.value).to.equal(0);
      expect(creditDebitIndicator).to.equal("CRDT");
    }
  });

  it("has a date and time with an offset, or the day alone if that is closed (3.1.4, A-42)", async () => {
    for (const { type, date } of balancesOf(await get(HISTORY))) {
      const pattern = type.codeOrProprietary.code === "PRCD" ? /^\d{4}-\d\d-\d\d$/ : ISO_DATE_TIME;
      expect(date.dateTime).to.match(pattern);
    }
  });

  it("writes the largest amount of the standard digit by digit, as a number (1.3, A-70)", async () => {
    const { body } = await get(RICH);
    expect(body).to.include('"amount":{"value":999999999999999.99,"currency":"USD"}');
    expect(body).not.to.include("exactNumber");
  });

  describe("currency parameter (A-43)", () => {
    it("selects all currencies when it is left out, the main one first", async () => {
      expect([...new Set(currenciesOf(await get(MULTI_CURRENCY)))]).to.deep.equal(["EUR", "USD", "CZK"]);
    });

    for (const currency of ["EUR", "USD", "CZK"]) {
      it(`selects one currency: ${currency}`, async () => {
        expect(new Set(currenciesOf(await get(MULTI_CURRENCY, `?currency=${currency}`)))).to.deep.equal(
          new Set([currency]),
        );
      });
    }

    it("changes nothing for a single-currency account that has this currency", async () => {
      const [named, unnamed] = [await get(HISTORY, "?currency=CZK"), await get(HISTORY)];
      expect(codesOf(named)).to.deep.equal(codesOf(unnamed));
    });

    for (const query of [
      "?currency=",
      "?currency=czk",
      "?currency=CZKK",
      "?currency=%00",
      "?currency=CZK%27--",
    ]) {
      it(`is refused with AC09 when malformed: ${query} (3.1.4)`, async () => {
        const answer = await get(HISTORY, query);
        expect(answer.status).to.equal(400);
        expect(JSON.parse(answer.body).errors).to.have.length(1);
        expect(JSON.parse(answer.body).errors[0]).to.include({ error: "AC09", scope: "currency" });
      });
    }
  });

  it("ignores unknown parameters (1.2.8)", async () => {
    expect((await get(HISTORY, "?page=x&size=x&sort=x&fields=amount")).status).to.equal(200);
  });
});
