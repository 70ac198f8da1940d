import { expect } from "chai";
import { type RunningResource, runResource } from "../resource/running-resource.ts";
import { EMPTY, FOREIGN, HISTORY } from "../resource/small-movements.ts";
import type { RawAnswer } from "../support/raw-https.ts";
import { startWaiting } from "../support/stopwatch.ts";
import { balanceOf, transactionsOf } from "./account-information.ts";
import { ibanOf } from "./balance-check.ts";

const INJECTED = [
  "' OR '1'='1",
  `${HISTORY}' --`,
  `${HISTORY}'; select pg_sleep(5); --`,
  `${HISTORY}") OR ("1"="1`,
  "{$gt:''}",
  "[$ne]=1",
  "..",
  "../../etc/passwd",
  "%2e%2e",
  "jndi:ldap://127.0.0.1/x",
  "<script>",
  "a\r\nX-Evil: 1",
  "\u0000",
  `${HISTORY}\u0000`,
  ` ${HISTORY}`,
  `${HISTORY} `,
  HISTORY.toUpperCase(),
  "*",
  "%",
  "_",
  "null",
  "undefined",
  "__proto__",
  "constructor",
  "0",
  "-1",
  "ú",
  "x".repeat(65),
  "x".repeat(4_000),
];

/** The part of an answer that must not differ: everything but its own identifiers and the time. */
function withoutNames({ status, headers, bytes }: RawAnswer) {
  const { "x-request-id": _id, date: _date, ...others } = headers;
  return { status, headers: others, body: bytes.toString("hex") };
}

describe("other people's accounts (RS-09, RS-15)", () => {
  let resource: RunningResource;
  let chosen: string;
  before(async () => {
    resource = await runResource();
    chosen = resource.giveToken("aisp-pisp", { account_ids: [HISTORY, FOREIGN] });
  });
  after(() => resource.stop());

  const ask = (id: string, of: typeof balanceOf, query = "") =>
    resource.call({ token: chosen, path: of(encodeURIComponent(id), query) });

  for (const [name, of] of [
    ["balance", balanceOf],
    ["transactions", transactionsOf],
  ] as const) {
    it(`get one answer for ${name}, whether unknown, another PSU's, not chosen, named by its IBAN or with a malformed id`, async () => {
      const unknown = withoutNames(await ask("nobody", of));
      expect(unknown.status).to.equal(404);
      for (const id of [FOREIGN, EMPTY, "psu-one-01-usd", ibanOf(HISTORY), ...INJECTED])
        expect(withoutNames(await ask(id, of)), id).to.deep.equal(unknown);
    });

    it(`get one answer for ${name}, even if everything else is wrong too`, async () => {
      const query = "?currency=x&page=x&fromDate=x";
      const unknown = withoutNames(await ask("nobody", of, query));
      expect(unknown.status).to.equal(404);
      for (const id of [FOREIGN, EMPTY])
        expect(withoutNames(await ask(id, of, query))).to.deep.equal(unknown);
    });
  }

  it("are never revealed by parameters or headers that name another PSU (RS-11)", async () => {
    const names = { "x-psu-id": "psu-one", "psu-id": "psu-one", sub: "psu-one" };
    const query = "?psu=psu-one&sub=psu-one&account=psu-one-01&id=psu-one-01";
    const plain = await resource.call({ token: chosen, path: transactionsOf(HISTORY) });
    const asked = await resource.call({
      token: chosen,
      path: transactionsOf(HISTORY, query),
      headers: names,
    });
    expect(JSON.parse(asked.body)).to.deep.equal(JSON.parse(plain.body));
  });

  it("cannot be probed with a payload that makes the database sleep (RS-15)", async () => {
    const sleep = encodeURIComponent("1; select pg_sleep(5); --");
    const waited = startWaiting();
    for (const parameter of ["page", "size", "sort", "order", "fromDate", "toDate", "currency"]) {
      const { status } = await ask(HISTORY, transactionsOf, `?${parameter}=${sleep}`);
      expect(status, parameter).to.equal(400);
    }
    expect(waited()).to.be.below(5_000);
  });
});
