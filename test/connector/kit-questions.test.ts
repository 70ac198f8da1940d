import { expect } from "chai";
import { SAMPLE_ACCOUNTS } from "../resource/connector/sample-answers.ts";
import { answering, type Behaviour } from "../resource/connector/scripted-core.ts";
import { judgeBehind } from "./kit-at-core.ts";

const OTHER = { ...SAMPLE_ACCOUNTS.accounts[0], id: "other" };

/** What stands in the place of a right answer, by the path that is asked, and what the kit says of it. */
const WRONG_ANSWERS: readonly (readonly [string, RegExp, Behaviour, string])[] = [
  [
    "1.4",
    /^\/psus\/anna\/accounts\/\w+\/transactions$/,
    answering({}, 500),
    "was answered with 500, not 400",
  ],
  [
    "1.4",
    /&currency=czk$/,
    answering({ psuId: "anna", accountId: "a1", totalCount: 0, transactions: [] }),
    "&currency=czk was answered with 200, not 400",
  ],
  [
    "2.3",
    /^\/psus\/kit-/,
    (request, response) => answering(accountsOf(request.url), 200)(request, response),
    "an unknown PSU has 1 account",
  ],
  [
    "3.1",
    /\/accounts\/kit-/,
    answering([], 404),
    "an unknown account was refused with something that is not an object",
  ],
  [
    "6.1",
    /^\/terms$/,
    answering({
      bankCode: "9900",
      currencies: [],
      priorities: ofEachType([]),
      maxDaysAhead: 1,
      cutOff: ofEachType({ NORM: "12:00", HIGH: "12:00" }),
    }),
    "the bank pays in no currency",
  ],
  [
    "6.4",
    /^\/orders\//,
    (request, response) =>
      answering({ paymentId: request.url?.split("/")[2], state: "accepted" })(request, response),
    "an order that was never sent is accepted",
  ],
];

describe("the test kit's report of its questions", () => {
  for (const [clause, path, wrong, said] of WRONG_ANSWERS)
    it(`names the question whose answer alone breaks clause ${clause}, as the core system saw it`, async () => {
      const asked = new Set<string>();
      const [result] = await judgeBehind(({ url = "", headers }) => {
        if (!path.test(url)) return undefined;
        const { "x-request-id": id } = headers;
        asked.add(id === undefined ? `, at GET ${url}` : `, at GET ${url}, X-Request-ID ${id}`);
        return wrong;
      }, clause);
      expect(result?.outcome).to.equal("failed");
      expect(result?.seen).to.include(said);
      expect(result?.seen.slice(result.seen.lastIndexOf(", at GET "))).to.be.oneOf([...asked]);
    });

  it("names no question if only several answers together are wrong", async () => {
    let times = 0;
    const [result] = await judgeBehind(({ url = "" }) => {
      if (url !== "/psus/anna/accounts") return undefined;
      times += 1;
      return answering(times % 2 === 0 ? accountsOf(url) : { ...accountsOf(url), accounts: [OTHER] });
    }, "2.2");
    expect(result).to.include({ outcome: "failed", seen: "the same question got a different answer" });
  });
});

function accountsOf(url = "") {
  return { ...SAMPLE_ACCOUNTS, accounts: SAMPLE_ACCOUNTS.accounts.slice(0, 1), psuId: url.split("/")[2] };
}

function ofEachType(value: unknown) {
  return { domestic: value, sepa: value, "inside-eea": value, "outside-eea": value };
}
