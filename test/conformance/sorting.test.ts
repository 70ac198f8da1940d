import { expect } from "chai";
import { type RunningResource, runResource } from "../resource/running-resource.ts";
import { HISTORY, RECENT } from "../resource/small-movements.ts";
import { expectErrors, referencesOf, transactionsOf } from "./account-information.ts";

/** The order of accounts is tested in `test/resource/account-list.test.ts`. */
describe("COBS 2.0, 1.2.8.2 order of transactions", () => {
  let resource: RunningResource;
  let token: string;
  before(async () => {
    resource = await runResource();
    token = resource.giveToken();
  });
  after(() => resource.stop());

  const get = (query: string) => resource.call({ token, path: transactionsOf(HISTORY, query) });
  const ordered = async (query: string) => referencesOf(await get(query));
  const booked = RECENT.slice(1);

  it("is by booking day, ascending unless told otherwise", async () => {
    expect(await ordered("?sort=bookingDate")).to.deep.equal(RECENT.toReversed());
    expect(await ordered("?sort=bookingDate&order=desc")).to.deep.equal(RECENT);
    expect(await ordered("?sort=bookingDate&order=")).to.deep.equal(RECENT.toReversed());
  });

  it("reads directions in any case (A-08)", async () => {
    for (const order of ["DESC", "Desc", "desc"])
      expect(await ordered(`?sort=bookingDate&order=${order}`)).to.deep.equal(RECENT);
  });

  it("can be by reference, value day, or amount without its direction", async () => {
    expect(await ordered("?sort=entryReference")).to.deep.equal([...RECENT].sort());
    expect((await ordered("?sort=valueDate&order=desc")).slice(0, 1)).to.deep.equal(["P-1"]);
    const amounts: number[] = JSON.parse((await get("?sort=amount")).body).transactions.map(
      ({ amount }: { amount: { value: number } }) => amount.value,
    );
    expect(amounts).to.deep.equal([...amounts].sort((one, other) => one - other));
  });

  it("can be by several fields in order of significance, an empty direction being the default (A-08)", async () => {
    const references = await ordered("?sort=amount,entryReference&order=,desc");
    expect(references.indexOf("H-005b")).to.equal(references.indexOf("H-005a") - 1);
    expect(references.indexOf("H-010")).to.equal(references.indexOf("H-009") - 1);
    const other = await ordered("?sort=amount,entryReference&order=desc,");
    expect(other.indexOf("H-005a")).to.equal(other.indexOf("H-005b") - 1);
  });

  it("compares booking dates as days if more fields follow", async () => {
    const references = await ordered("?sort=bookingDate,entryReference&order=desc,asc");
    expect(references.indexOf("H-005a")).to.equal(references.indexOf("H-005b") - 1);
    expect(references.filter((name) => name.startsWith("H-0"))).to.have.members([...booked]);
  });

  it("stays the same over all pages", async () => {
    for (const sort of ["amount", "valueDate", "amount,bookingDate", "bookingDate"]) {
      const pages: string[] = [];
      for (let page = 0; page < RECENT.length; page += 1)
        pages.push(...(await ordered(`?sort=${sort}&size=1&page=${page}`)));
      expect(pages, sort).to.deep.equal(await ordered(`?sort=${sort}`));
    }
  });

  const REFUSED: readonly (readonly [query: string, scope: string])[] = [
    ["sort=", "sort"],
    ["sort=,", "sort"],
    ["sort=nosuch", "sort"],
    ["sort=id", "sort"],
    ["sort=bookingDate,", "sort"],
    ["sort=bookingDate,bookingDate", "sort"],
    ["sort=BOOKINGDATE", "sort"],
    ["sort=bookingDate%20desc", "sort"],
    ["sort=__proto__", "sort"],
    ["sort=toString", "sort"],
    ["sort=seq", "sort"],
    ["sort=amount%3Bselect%20pg_sleep(5)", "sort"],
    ["sort=(select%20pg_sleep(5))", "sort"],
    ["sort=amount%00", "sort"],
    ["sort=amount&sort=amount", "sort"],
    ["order=desc", "order"],
    ["sort=amount&order=up", "order"],
    ["sort=amount&order=asc,desc", "order"],
    ["sort=amount&order=desc%20nulls%20first", "order"],
    ["sort=amount&order=desc&order=desc", "order"],
  ];
  for (const [query, scope] of REFUSED) {
    it(`refuses ${query} by name (1.2.8.2)`, async () => {
      expectErrors(await get(`?${query}`), 400, { error: "PARAMETER_INVALID", scope });
    });
  }
});
