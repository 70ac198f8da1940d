import { type Account, parseAccountId } from "@cobs/cobs-model";
import { expect } from "chai";
import { listInMemory } from "../../packages/resource/src/bank/http-connector/list-in-memory.ts";
import { parseAccounts } from "../../packages/resource/src/bank/http-connector/parse-accounts.ts";
import { SAMPLE_ACCOUNT } from "./connector/sample-answers.ts";

type Sorts = Parameters<typeof listInMemory>[1]["query"]["sort"];

const CONSENTED = ["a", "b", "c", "d"].map((id) => parseAccountId(id));
const NAMES: Readonly<Record<string, string | undefined>> = {
  a: "Životní",
  b: undefined,
  c: "Životní",
  d: "Běžný",
};

/** As a core system tells them, in an order of its own each time. */
function told(ids: string): readonly Account[] {
  const accounts = [...ids].map((id) => ({
    ...SAMPLE_ACCOUNT,
    id,
    names: NAMES[id] === undefined ? null : { cs: NAMES[id], en: id },
  }));
  return parseAccounts({ accounts });
}

describe("a page of the accounts that a core system returns all at once", () => {
  const pagesOf = (sort: Sorts, size = 10) =>
    ["bdxac", "caxdb", "xabcd"].map((ids, page) => {
      const query = { page: size === 10 ? 0 : page, size, sort };
      const { entries, totalCount } = listInMemory(told(ids), { accounts: CONSENTED, query, language: "cs" });
      return `${entries.map(({ id }) => id).join("")} of ${totalCount}`;
    });

  it("has the consent's accounts in the order of their ids unless sorted otherwise, however they came", () => {
    expect(pagesOf([])).to.deep.equal(["abcd of 4", "abcd of 4", "abcd of 4"]);
    expect(pagesOf([], 2)).to.deep.equal(["ab of 4", "cd of 4", " of 4"]);
    expect(new Set(pagesOf([{ field: "currency", direction: "desc" }]))).to.have.keys(["abcd of 4"]);
  });

  it("sorts names by their language, with missing names last, or first when reversed", () => {
    expect(new Set(pagesOf([{ field: "nameI18N", direction: "asc" }]))).to.have.keys(["dacb of 4"]);
    expect(new Set(pagesOf([{ field: "nameI18N", direction: "desc" }]))).to.have.keys(["bacd of 4"]);
  });
});
